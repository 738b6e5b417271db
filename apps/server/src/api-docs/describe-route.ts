/**
 * Describes one route as an OpenAPI operation. Input and answers come from its schemas, access rules from its guards,
 * refusals from `plugins/route-refusals.ts`.
 */
import { type ErrorCode, errorStatus, errorText } from '@wirebench/contract';
import type { FastifySchema } from 'fastify';
import { type DescribedRoute, refusalsOf } from '../plugins/route-refusals.ts';

type Answers = Readonly<Record<string, object>>;

/** The parts of an operation beside the JSON schemas of its input and its answers. */
export type OperationNotes = Pick<FastifySchema, 'tags' | 'security'> & { readonly refusals: Answers };

/** Name of the security scheme in the document. */
export const bearerScheme = 'bearer';

const ERROR_ANSWER = '#/components/schemas/ErrorAnswer';

export function describeRoute(route: DescribedRoute): OperationNotes {
  const codes = refusalsOf(route);
  const needsUser = codes.some((code) => errorStatus[code] === 401);
  return {
    tags: [tagOf(route.url)],
    security: needsUser ? [{ [bearerScheme]: [] }, ...(route.config?.open ? [{}] : [])] : [],
    refusals: Object.fromEntries(
      [...Map.groupBy(codes, (code) => errorStatus[code])].map(([status, group]) => [String(status), refusal(group)]),
    ),
  };
}

/** Returns the JSON schemas of a route's successful answers, each with the description that OpenAPI requires. */
export function describeAnswers(answers: Answers): Answers {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [status, describeAnswer(status, schema)]),
  );
}

function describeAnswer(status: string, schema: object): object {
  if (status === '204') {
    return { description: 'Success; the response is empty.', type: 'null' };
  }
  return 'content' in schema ? schema : { description: 'Success.', content: { 'application/json': { schema } } };
}

function refusal(codes: readonly ErrorCode[]): object {
  const ofThese = { type: 'object', properties: { code: { enum: codes } } };
  const example = (code: ErrorCode) => ({ value: { error: errorText[code], message: errorText[code], code } });
  return {
    description: codes.map((code) => `\`${code}\`: ${errorText[code]}`).join('\n\n'),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: ERROR_ANSWER }, ofThese] },
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}

/** Returns the part of the address that names the feature. */
function tagOf(url: string): string {
  const [, root, feature] = url.split('/');
  return root === 'api' && feature !== undefined && feature !== 'health' && feature !== 'ready'
    ? feature
    : 'operations';
}
