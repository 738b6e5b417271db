/** Jkits over HTTP: signed-in users manage their own, and every visitor can read a shared one by its link. */
import {
  JkitAnswer,
  JkitChange,
  JkitList,
  JkitListQuery,
  JkitSearchList,
  JkitSearchQuery,
  jkitLimits,
  jkitPaths,
  NewJkit,
  NewRating,
  RatingAnswer,
  StarAnswer,
  StarredJkitList,
} from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { type Guards, signedIn } from '../../plugins/auth.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { JkitService } from './jkits.service.ts';
import type { SearchQueue } from './search-queue.ts';

export interface JkitRoutesOptions {
  readonly jkits: JkitService;
  readonly searches: SearchQueue;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
  /** Limits how often one address searches. */
  readonly limitReads: onRequestAsyncHookHandler;
}

/** Bytes of a body: content in which JSON encodes every byte as `\u00xx`, plus the other fields. */
const BODY_LIMIT = 6 * jkitLimits.contentSize + 32 * 1_024;

export const jkitRoutes: FastifyPluginAsyncZod<JkitRoutesOptions> = async (app, options) => {
  const { jkits, searches, guards, limitWrites, limitReads } = options;
  const user = guards.requireUser('jkits-sign-in-required');
  const writer = [user, limitWrites];
  const one = jkitPaths.jkit(':id');

  app.get(
    jkitPaths.jkits,
    {
      onRequest: user,
      schema: { summary: "Lists the caller's JKits.", querystring: JkitListQuery, response: { 200: JkitList } },
    },
    async (request) => jkits.list(signedIn(request), request.query),
  );

  app.post(
    jkitPaths.jkits,
    {
      onRequest: writer,
      bodyLimit: BODY_LIMIT,
      schema: {
        summary: 'Saves a new JKit.',
        description:
          'Type `uart`, the default: `content` is JSON text with a list `fields`. Type `chip`: `content` is JSON text that describes a device on an I2C or SPI bus (docs/behaviour.md, "Chip JKits"); the answer to a wrong one says what is wrong. Type `decoder`: `content` is JSON text that says how bytes become frames and named values (packages/contract/src/decoders/README.md), checked likewise. Each type has its own number of slots.',
        body: NewJkit,
        response: { 201: JkitAnswer },
      },
      config: { refusals: ['jkit-limit', 'sharing-blocked'] },
    },
    async (request, reply) => reply.code(201).send({ data: await jkits.create(signedIn(request), request.body) }),
  );

  app.get(
    jkitPaths.search,
    {
      onRequest: [limitReads, user],
      schema: {
        summary: 'Finds shared JKits by parts of words, best match first.',
        description:
          'Chips are also found by part, maker, category and address (`0x76`), decoders by protocol and by the names of their messages.',
        querystring: JkitSearchQuery,
        response: { 200: JkitSearchList },
      },
      config: { refusals: ['too-many-requests', 'search-busy'] },
    },
    async (request) => searches.run(signedIn(request).subject, request.signal, () => jkits.search(request.query)),
  );

  app.get(
    jkitPaths.starred,
    {
      onRequest: user,
      schema: {
        summary: 'Lists the JKits that the caller has starred and that are still shared.',
        querystring: JkitListQuery,
        response: { 200: StarredJkitList },
      },
    },
    async (request) => jkits.starred(signedIn(request), request.query),
  );

  app.get(
    one,
    {
      onRequest: guards.identifyUser('jkits-sign-in-required'),
      schema: {
        summary: "Returns a JKit: one of the caller's own, or a shared one, even without a token.",
        params: IdParams,
        response: { 200: JkitAnswer },
      },
      config: { open: true, refusals: ['not-found', 'taken-down'] },
    },
    async (request) => ({ data: await jkits.get(request.user, idOf(request.params.id)) }),
  );

  app.put(
    one,
    {
      onRequest: writer,
      bodyLimit: BODY_LIMIT,
      schema: {
        summary: "Changes the given fields of one of the caller's JKits.",
        description: 'The type cannot be changed, and `content` has to be one of that type.',
        params: IdParams,
        body: JkitChange,
        response: { 200: JkitAnswer },
      },
      config: {
        refusals: ['not-found', 'taken-down', 'jkit-not-yours', 'jkit-changed', 'sharing-blocked', 'own-taken-down'],
      },
    },
    async (request) => ({ data: await jkits.update(signedIn(request), idOf(request.params.id), request.body) }),
  );

  app.delete(
    one,
    {
      onRequest: writer,
      schema: { summary: "Deletes one of the caller's JKits.", params: IdParams, response: { 204: z.void() } },
      config: { refusals: ['not-found', 'taken-down', 'jkit-not-yours'] },
    },
    async (request, reply) => {
      await jkits.remove(signedIn(request), idOf(request.params.id));
      return reply.code(204).send();
    },
  );

  app.get(
    jkitPaths.isStarred(':id'),
    {
      onRequest: user,
      schema: {
        summary: 'Returns whether the caller has starred a JKit.',
        params: IdParams,
        response: { 200: StarAnswer },
      },
      config: { refusals: ['not-found', 'taken-down'] },
    },
    async (request) => ({ data: { isStarred: await jkits.isStarred(signedIn(request), idOf(request.params.id)) } }),
  );

  app.post(
    jkitPaths.star(':id'),
    {
      onRequest: writer,
      schema: {
        summary: "Stars another user's shared JKit; can be repeated.",
        params: IdParams,
        response: { 200: StarAnswer },
      },
      config: { refusals: ['not-found', 'taken-down', 'jkit-yours', 'star-limit'] },
    },
    async (request) => {
      await jkits.star(signedIn(request), idOf(request.params.id));
      return { data: { isStarred: true } };
    },
  );

  app.delete(
    jkitPaths.star(':id'),
    {
      onRequest: writer,
      schema: {
        summary: "Removes the caller's star; can be repeated.",
        params: IdParams,
        response: { 200: StarAnswer },
      },
      config: { refusals: ['not-found', 'taken-down'] },
    },
    async (request) => {
      await jkits.unstar(signedIn(request), idOf(request.params.id));
      return { data: { isStarred: false } };
    },
  );

  app.get(
    jkitPaths.rating(':id'),
    {
      onRequest: user,
      schema: { summary: "Returns the caller's rating of a JKit.", params: IdParams, response: { 200: RatingAnswer } },
      config: { refusals: ['not-found', 'taken-down'] },
    },
    async (request) => ({ data: { stars: await jkits.ratingOf(signedIn(request), idOf(request.params.id)) } }),
  );

  app.post(
    jkitPaths.rating(':id'),
    {
      onRequest: writer,
      schema: {
        summary: "Rates another user's shared JKit, replacing the caller's last rating.",
        params: IdParams,
        body: NewRating,
        response: { 200: JkitAnswer },
      },
      config: { refusals: ['not-found', 'taken-down', 'jkit-yours'] },
    },
    async (request) => ({ data: await jkits.rate(signedIn(request), idOf(request.params.id), request.body.stars) }),
  );
};
