/** Feedback over HTTP: signed-in users write, administrators read. */
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
import { fileAnswer } from '../../plugins/file-answer.ts';
import type { FeedbackService } from './feedback.service.ts';

export interface FeedbackRoutesOptions {
  readonly feedback: FeedbackService;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
  readonly adminRole: string;
}

/** Bytes of a body. The longest message and address need a fraction of it in any encoding. */
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
      schema: { summary: 'Stores a message from the caller.', body: NewFeedback, response: { 201: FeedbackAnswer } },
    },
    async (request, reply) => reply.code(201).send({ data: await feedback.submit(signedIn(request), request.body) }),
  );

  app.get(
    apiPaths.feedback,
    {
      onRequest: administrator,
      schema: { summary: 'Lists messages, newest first.', querystring: FeedbackQuery, response: { 200: FeedbackList } },
    },
    async (request) => feedback.list(request.query),
  );

  app.get(
    apiPaths.feedbackStats,
    {
      onRequest: administrator,
      schema: {
        summary: "Counts all messages, today's messages and their senders.",
        querystring: FeedbackStatsQuery,
        response: { 200: FeedbackStats },
      },
    },
    async (request) => feedback.stats(request.query.timeZone),
  );

  app.get(
    apiPaths.feedbackExport,
    {
      onRequest: administrator,
      schema: {
        summary: 'Exports messages as CSV, newest first.',
        querystring: FeedbackExportQuery,
        response: { 200: fileAnswer('The messages, one record each', 'text/csv') },
      },
    },
    async (request, reply) => {
      const { fileName, csv } = await feedback.exportCsv(request.query.email);
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(csv));
    },
  );
};
