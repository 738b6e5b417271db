/** Shared benches over HTTP: creates, ends and describes rooms, and opens the WebSockets of hosts and guests. */
import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import { LiveRoomAnswer, livePaths, liveSubprotocol, NewLiveRoomAnswer, readLiveProtocols } from '@wirebench/contract';
import { closeCodes, liveMessageLimit } from '@wirebench/contract/live';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { WebSocket } from 'ws';
import * as z from 'zod/mini';
import { ApiError } from '../../api-error.ts';
import { addressKey } from '../../plugins/address-key.ts';
import { type Guards, signedIn } from '../../plugins/auth.ts';
import { IdParams } from '../../plugins/id-params.ts';
import type { Meter } from '../../plugins/rate-limit.ts';
import { refusing } from '../../plugins/route-refusals.ts';
import type { LiveService } from './live.service.ts';
import { endSoon } from './live-connection.ts';
import type { CutReason, LiveTraffic } from './live-traffic.ts';
import type { Relay } from './relay.ts';

export interface LiveRoutesOptions {
  readonly live: LiveService;
  readonly relay: Relay;
  readonly traffic: LiveTraffic;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
  /** Limits how often one address asks for rooms. */
  readonly limitReads: onRequestAsyncHookHandler;
  /** Counts how often one address opens a WebSocket. */
  readonly meterJoins: Meter;
  /** Origins whose pages may open a WebSocket. Programs other than browsers send no origin. */
  readonly origins: ReadonlySet<string>;
}

/** Maximum number of fragments of a message. Empty fragments cost no budget, and no client needs more than a few. */
const MAX_FRAGMENTS = 16;

export const liveRoutes: FastifyPluginAsyncZod<LiveRoutesOptions> = async (app, options) => {
  const { live, relay, traffic, guards, limitWrites, limitReads, meterJoins, origins } = options;
  await app.register(websocket, {
    options: {
      maxPayload: liveMessageLimit,
      maxFragments: MAX_FRAGMENTS,
      perMessageDeflate: false,
      // `LiveConnection` answers pings, within its limits.
      autoPong: false,
      clientTracking: false,
      handleProtocols: (offered) => (offered.has(liveSubprotocol) ? liveSubprotocol : false),
    },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done) => {
      relay.stop().then(() => done(), done);
    },
  });
  const user = guards.requireUser('live-sign-in-required');

  app.post(
    livePaths.rooms,
    {
      onRequest: [user, limitWrites],
      config: { refusals: ['sharing-blocked', 'live-room-limit', 'live-unavailable'] },
      schema: { summary: 'Makes a room for a bench that the caller shares.', response: { 201: NewLiveRoomAnswer } },
    },
    async (request, reply) => reply.code(201).send(await live.create(signedIn(request))),
  );

  app.delete(
    livePaths.room(':id'),
    {
      onRequest: [user, limitWrites],
      config: { refusals: ['not-found', 'live-not-here', 'live-unavailable'] },
      schema: {
        summary: "Ends a room of the caller's, and every connection to it.",
        params: IdParams,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await live.end(signedIn(request), request.params.id);
      return reply.code(204).send();
    },
  );

  app.get(
    livePaths.room(':id'),
    {
      onRequest: limitReads,
      config: { refusals: ['not-found', 'live-not-here', 'live-unavailable'] },
      schema: {
        summary: 'Says whether there is such a room and whether its host is there.',
        params: IdParams,
        response: { 200: LiveRoomAnswer },
      },
    },
    async (request) => live.get(request.params.id),
  );

  app.route({
    method: 'GET',
    url: livePaths.socket(':id'),
    onRequest: refusing(async ({ headers: { origin } }) => {
      if (origin !== undefined && !origins.has(origin)) {
        throw new ApiError('origin-not-allowed');
      }
    }, 'origin-not-allowed'),
    config: { refusals: ['upgrade-required'] },
    schema: {
      summary: 'Connects a host or a guest to a room, as a WebSocket.',
      params: IdParams,
      response: { 101: z.void() },
    },
    handler: async () => {
      throw new ApiError('upgrade-required');
    },
    wsHandler: async (socket: WebSocket, request) => {
      const caller = readLiveProtocols((request.headers['sec-websocket-protocol'] ?? '').split(','));
      // Browsers do not report why an upgrade was refused. They can read the code of a close.
      const wire: Socket = request.raw.socket;
      const refuse = (code: number, reason: CutReason) => {
        traffic.countCut(reason);
        socket.close(code);
        endSoon(wire);
      };
      if (caller === undefined) {
        refuse(closeCodes.notAllowed, 'not-allowed');
      } else if ((await meterJoins(request)) !== null) {
        refuse(closeCodes.tooMany, 'too-many');
      } else {
        const key = keyOrNull((request.params as z.infer<typeof IdParams>).id);
        if (key === null) {
          refuse(closeCodes.noSuchRoom, 'no-such-room');
        } else {
          await relay.connect({ socket, wire, key, caller, address: addressKey(request.ip) });
        }
      }
    },
  });

  function keyOrNull(id: string): string | null {
    try {
      return live.keyOf(id);
    } catch (error) {
      if (error instanceof ApiError) {
        return null;
      }
      throw error;
    }
  }
};
