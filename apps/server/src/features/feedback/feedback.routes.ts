/** Feedback over HTTP: anyone who is signed in writes, administrators read. */
import { Readable } from 'node:stream';
import {
  apiPaths,
  FeedbackAnswer,
  FeedbackExportQuery,
  FeedbackList,
  FeedbackQuery,
  FeedbackStats,
  FeedbackStatsQuery,
  NewFeedback,
} from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { type Guards, signedIn } from '../../plugins/auth.ts';
import type { FeedbackService } from './feedback.service.ts';

export interface FeedbackRoutesOptions {
  readonly feedback: FeedbackService;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
  readonly adminRole: string;
}

/** Bytes of a body; the longest message and address need a fraction of it in any encoding. */
const BODY_LIMIT = 16 * 1_024;

export const feedbackRoutes: FastifyPluginAsyncZod<FeedbackRoutesOptions> = async (app, options) => {
  const { feedback, guards, limitWrites, adminRole } = options;
  const user = guards.requireUser('feedback-sign-in-required');
  const administrator = [user, guards.requireRole(adminRole, 'feedback-access-denied')];

  app.post(
    apiPaths.feedback,
    {
      onRequest: [user, limitWrites],
      bodyLimit: BODY_LIMIT,
      schema: { body: NewFeedback, response: { 201: FeedbackAnswer } },
    },
    async (request, reply) => reply.code(201).send({ data: await feedback.submit(signedIn(request), request.body) }),
  );

  app.get(
    apiPaths.feedback,
    { onRequest: administrator, schema: { querystring: FeedbackQuery, response: { 200: FeedbackList } } },
    async (request) => feedback.list(request.query),
  );

  app.get(
    apiPaths.feedbackStats,
    { onRequest: administrator, schema: { querystring: FeedbackStatsQuery, response: { 200: FeedbackStats } } },
    async (request) => feedback.stats(request.query.timeZone),
  );

  app.get(
    apiPaths.feedbackExport,
    { onRequest: administrator, schema: { querystring: FeedbackExportQuery } },
    async (request, reply) => {
      const { fileName, csv } = await feedback.exportCsv(request.query.email);
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(csv));
    },
  );
};
