/** Reports and moderation over HTTP: anyone may report, administrators read and act. */
import {
  AccountList,
  AccountQuery,
  AuditList,
  ItemAnswer,
  ItemList,
  ItemQuery,
  ModeratedAccountAnswer,
  ModerationPage,
  ModerationReason,
  moderationPaths,
  NewReport,
  type ReportedType,
  ReportList,
  reportedTypes,
  reportsPath,
} from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { type Guards, signedIn } from '../../plugins/auth.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { ModerationService } from './moderation.service.ts';

export interface ModerationRoutesOptions {
  readonly moderation: ModerationService;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
  /** Limits how often one address reports. */
  readonly limitReports: onRequestAsyncHookHandler;
  readonly adminRole: string;
}

/** Bytes of a body. The longest note needs a fraction of it in any encoding. */
const BODY_LIMIT = 16 * 1_024;

export const moderationRoutes: FastifyPluginAsyncZod<ModerationRoutesOptions> = async (app, options) => {
  const { moderation, guards, limitWrites, limitReports, adminRole } = options;
  const administrator = [
    guards.requireUser('moderation-sign-in-required'),
    guards.requireRole(adminRole, 'moderation-access-denied'),
  ];
  const acting = { onRequest: [...administrator, limitWrites], bodyLimit: BODY_LIMIT };
  const config = { refusals: ['not-found'] as const };

  app.post(
    reportsPath,
    {
      onRequest: limitReports,
      bodyLimit: BODY_LIMIT,
      config: { refusals: ['not-found', 'taken-down'] },
      schema: {
        summary: 'Reports something public to whoever runs this server. Who reports is not stored.',
        body: NewReport,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await moderation.report(request.body);
      return reply.code(204).send();
    },
  );

  app.get(
    moderationPaths.reports,
    {
      onRequest: administrator,
      schema: {
        summary: 'Lists open reports, newest first.',
        querystring: ModerationPage,
        response: { 200: ReportList },
      },
    },
    async (request) => moderation.reports(request.query),
  );

  app.get(
    moderationPaths.items,
    {
      onRequest: administrator,
      schema: {
        summary: 'Lists what is public, and what was until it was withheld.',
        querystring: ItemQuery,
        response: { 200: ItemList },
      },
    },
    async (request) => moderation.items(request.query),
  );

  for (const type of reportedTypes) {
    const target = (id: string): { type: ReportedType; id: string } => ({ type, id: idOf(id) });

    app.post(
      moderationPaths.takeDown(type, ':id'),
      {
        ...acting,
        config,
        schema: {
          summary: `Takes a ${type} down: its link says so, its owner sees why. Closes its reports.`,
          params: IdParams,
          body: ModerationReason,
          response: { 200: ItemAnswer },
        },
      },
      async (request) => ({
        item: await moderation.takeDown(signedIn(request), target(request.params.id), request.body.reason),
      }),
    );

    app.post(
      moderationPaths.restore(type, ':id'),
      {
        ...acting,
        config,
        schema: {
          summary: `Restores a ${type} that was taken down.`,
          params: IdParams,
          body: ModerationReason,
          response: { 200: ItemAnswer },
        },
      },
      async (request) => ({
        item: await moderation.restore(signedIn(request), target(request.params.id), request.body.reason),
      }),
    );

    app.post(
      moderationPaths.dismissReports(type, ':id'),
      {
        ...acting,
        config,
        schema: {
          summary: `Closes the reports of a ${type} that stays as it is.`,
          params: IdParams,
          body: ModerationReason,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await moderation.dismissReports(signedIn(request), target(request.params.id), request.body.reason);
        return reply.code(204).send();
      },
    );
  }

  app.get(
    moderationPaths.accounts,
    {
      onRequest: administrator,
      schema: {
        summary: 'Lists accounts by name: all, or blocked ones, with their sign-in names and e-mail addresses.',
        querystring: AccountQuery,
        response: { 200: AccountList },
      },
    },
    async (request) => moderation.accounts(signedIn(request), request.query),
  );

  for (const [path, act, summary] of [
    [
      moderationPaths.block,
      'block',
      'Blocks an account from sharing, withholds what it shares, and ends the benches that it shares.',
    ],
    [moderationPaths.unblock, 'unblock', 'Lets a blocked account share again, and shows what was withheld with it.'],
    [moderationPaths.revokeTokens, 'revokeTokens', 'Revokes every publishing token of an account.'],
  ] as const) {
    app.post(
      path(':id'),
      {
        ...acting,
        config:
          path === moderationPaths.block
            ? { refusals: ['not-found', 'own-account', 'live-unavailable'] as const }
            : config,
        schema: {
          summary,
          params: IdParams,
          body: ModerationReason,
          response: { 200: ModeratedAccountAnswer },
        },
      },
      async (request) => ({
        account: await moderation[act](signedIn(request), idOf(request.params.id), request.body.reason),
      }),
    );
  }

  app.post(
    moderationPaths.deleteFeedback(':id'),
    {
      ...acting,
      config,
      schema: {
        summary: 'Deletes a message that somebody sent as feedback.',
        params: IdParams,
        body: ModerationReason,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await moderation.deleteFeedback(signedIn(request), idOf(request.params.id), request.body.reason);
      return reply.code(204).send();
    },
  );

  app.get(
    moderationPaths.audit,
    {
      onRequest: administrator,
      schema: {
        summary: 'Lists who moderated what, when and why, newest first.',
        querystring: ModerationPage,
        response: { 200: AuditList },
      },
    },
    async (request) => moderation.audit(request.query),
  );
};
