/**
 * The API's documentation: the OpenAPI 3.1 document, generated from the schemas that the routes validate with, and
 * the pages that show it. It is a separate app, so that its libraries and files cost nothing until a client requests
 * it.
 */
import fastifySwagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import * as contract from '@wirebench/contract';
import { type ErrorCode, errorStatus, errorText } from '@wirebench/contract';
import type { FastifySchema } from 'fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import manifest from '../../package.json' with { type: 'json' };
import { ApiError } from '../api-error.ts';
import { answerErrors, sendRefusal } from '../plugins/errors.ts';
import { type DescribedRoute, refusalsOf } from '../plugins/route-refusals.ts';

const info = {
  title: 'Wirebench API',
  version: manifest.version,
  description:
    'JSON in UTF-8. Times are ISO 8601 in UTC. Unknown fields in a body are ignored, but refused in a crash. Every error has the same shape: a ' +
    'sentence for people in `error` and `message`, and a `code` for programs.',
  license: { name: manifest.license, identifier: manifest.license },
};

const tags = [
  { name: 'firmware', description: 'Projects with their versions and files, and their public view.' },
  { name: 'jkits', description: 'Sets of messages for the terminal: saved, shared, starred, rated.' },
  { name: 'live', description: 'Shared benches: rooms, and the WebSocket that connects a host with its guests.' },
  { name: 'tokens', description: 'Publishing tokens, for programs that upload firmware.' },
  { name: 'feedback', description: 'Messages from users about the product.' },
  { name: 'account', description: "The caller's public name." },
  { name: 'reports', description: 'Reports of public items to the operators of this server.' },
  { name: 'admin', description: 'Moderation, for administrators.' },
  {
    name: 'operations',
    description: 'Health checks for operators, and the configuration that the web app reads first.',
  },
];

/** Every schema of the contract under its exported name, for references in the document. */
const registry = z.registry<{ id?: string }>();
for (const [id, schema] of Object.entries(contract)) {
  if (schema instanceof z.core.$ZodType) {
    registry.add(schema, { id });
  }
}

const withNames = createJsonSchemaTransform({ schemaRegistry: registry });
const inFull = createJsonSchemaTransform({ schemaRegistry: z.registry<{ id?: string }>() });
const addNamed = createJsonSchemaTransformObject({ schemaRegistry: registry });

/**
 * Describes one route as an OpenAPI operation. Input and answers come from its schemas, access rules from its guards,
 * refusals from `plugins/route-refusals.ts`.
 */

type Answers = Readonly<Record<string, object>>;

/** The parts of an operation beside the JSON schemas of its input and its answers. */
type OperationNotes = Pick<FastifySchema, 'tags' | 'security'> & { readonly refusals: Answers };

/** Name of the security scheme in the document. */
const bearerScheme = 'bearer';

const ERROR_ANSWER = '#/components/schemas/ErrorAnswer';

function describeRoute(route: DescribedRoute): OperationNotes {
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
function describeAnswers(answers: Answers): Answers {
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

/** Parameters are expanded one by one and cannot refer to a named schema. Bodies and answers can. */
const describe: SwaggerTransform = ({ schema = {}, ...rest }) => {
  const { querystring, params, headers, ...bodies } = schema;
  const named = withNames({ schema: bodies, ...rest }).schema;
  const parameters = inFull({ schema: { querystring, params, headers }, ...rest }).schema;
  const { refusals, ...notes } = describeRoute(rest.route);
  const response = { ...describeAnswers({ ...(named.response as Record<string, object> | undefined) }), ...refusals };
  return { schema: { ...notes, ...named, ...parameters, response }, url: rest.url };
};

type ApiDocument = ReturnType<SwaggerTransformObject>;

interface Operation {
  readonly requestBody?: { required: boolean };
}

/** Marks bodies that may be absent as optional. The library marks every body as required. */
function markOptionalBodies(document: ApiDocument, routes: readonly DescribedRoute[]): ApiDocument {
  const { paths = {} } = document as { paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
  for (const { method, url, schema } of routes) {
    const path = url.replace(/:(\w+)/g, '{$1}');
    const body = paths[path]?.[String(method).toLowerCase()]?.requestBody;
    if (body !== undefined && schema?.body instanceof z.core.$ZodType) {
      body.required = !z.safeParse(schema.body, undefined).success;
    }
  }
  return document;
}

/**
 * Removes schemas that no operation refers to. The registry added every schema of the contract, as input and as
 * answer.
 */
function onlyUsed(document: ApiDocument): ApiDocument {
  const { components = {} } = document as { components?: { schemas?: Readonly<Record<string, object>> } };
  const all = components.schemas ?? {};
  const used = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (!used.has(name)) {
        used.add(name);
        follow(all[name]);
      }
    }
  };
  follow(document.paths);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...components, schemas } } as ApiDocument;
}

/** Builds the app that answers `/api/docs` and everything below it. It is ready for requests. */
export async function buildApiDocs(routes: readonly DescribedRoute[]): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  answerErrors(app);
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, new ApiError('not-found')));
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.1',
      info,
      tags,
      components: {
        securitySchemes: {
          [bearerScheme]: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'An access token from the identity provider.',
          },
        },
      },
    },
    convertConstToEnum: false,
    transform: describe,
    transformObject: (document) => markOptionalBodies(onlyUsed(addNamed(document)), routes),
  });
  // The routes are registered only to be described. They are never called.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  for (const { method, url, schema = {}, config = {}, onRequest = [] } of routes) {
    app.route({ method, url, schema, config, onRequest, handler: () => null });
  }
  await app.register(fastifySwaggerUi, {
    routePrefix: contract.apiPaths.docs,
    theme: { title: info.title },
    uiConfig: { layout: 'BaseLayout' },
  });
  await app.ready();
  return app;
}
