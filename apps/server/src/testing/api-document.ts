/** The parts of an app's OpenAPI document that tests read. */
import type { FastifyInstance } from 'fastify';

/** JSON Schema as in the document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ApiOperation {
  /** In capitals. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly ApiParameter[];
  /** Schemas by content type. */
  readonly requestBody: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  /** True: the body is required. */
  readonly needsBody: boolean;
  readonly responses: Readonly<Record<string, ApiAnswer>>;
}

export interface ApiParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly schema: JsonSchema;
}

interface ApiAnswer {
  readonly description: string;
  readonly content?: Readonly<
    Record<string, { readonly schema?: JsonSchema; readonly examples?: Readonly<Record<string, unknown>> }>
  >;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
  readonly operations: readonly ApiOperation[];
  /** The document as answered. */
  readonly json: Readonly<Record<string, unknown>>;
}

type PathItem = Readonly<
  Record<string, Partial<ApiOperation> & { requestBody?: { required: boolean; content: ApiOperation['requestBody'] } }>
>;

export async function readApiDocument(app: FastifyInstance): Promise<ApiDocument> {
  const json = (await app.inject('/api/docs/json')).json();
  const operations = Object.entries(json.paths as Readonly<Record<string, PathItem>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tags: [],
      security: [],
      parameters: [],
      responses: {},
      ...operation,
      requestBody: operation.requestBody?.content ?? {},
      needsBody: operation.requestBody?.required ?? false,
      method: method.toUpperCase() as ApiOperation['method'],
      path,
    })),
  );
  return { openapi: json.openapi, tags: json.tags, components: json.components, operations, json };
}

/** Returns the codes with which `operation` may refuse at `status`. */
export function refusalCodes({ responses }: ApiOperation, status: number): readonly string[] {
  return Object.keys(responses[status]?.content?.['application/json']?.examples ?? {});
}
