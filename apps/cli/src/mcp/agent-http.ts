/**
 * Agents over HTTP: Streamable HTTP of the Model Context Protocol on the loopback interface. A request needs the token,
 * and the names of this server as its Host and Origin, because a page of the web can reach 127.0.0.1 too.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CommandError, exitCodes } from '../exit-code.ts';

const PATH = '/mcp';
/** Most clients at a time. The oldest one makes room: most clients end without saying so. */
const MAX_SESSIONS = 16;

export interface AgentHttpOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly token: string;
  /** Returns a server for one client. */
  readonly server: () => McpServer;
}

export class AgentHttp {
  readonly #http: Server;
  readonly #options: AgentHttpOptions;
  /** Sessions by their ids, oldest first. */
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>();
  #names: readonly string[] = [];

  private constructor(options: AgentHttpOptions) {
    this.#options = options;
    this.#http = createServer((request, response) => {
      this.#handle(request, response).catch((error: Error) => {
        process.stderr.write(`wirebench: ${error.message}\n`);
        if (!response.headersSent) {
          refuse(response, 500, 'The request failed.');
        }
      });
    });
  }

  /** @throws CommandError for a port that is taken. */
  static async listen(options: AgentHttpOptions): Promise<AgentHttp> {
    const server = new AgentHttp(options);
    await new Promise<void>((resolve, reject) => {
      server.#http.once('error', reject);
      server.#http.listen(options.port, '127.0.0.1', resolve);
    }).catch((error: Error) => {
      throw new CommandError(exitCodes.failed, `HTTP cannot be served: ${error.message}`);
    });
    const { port } = server.#http.address() as AddressInfo;
    server.#names = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`);
    return server;
  }

  get address(): string {
    return `http://${this.#names[0]}${PATH}`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((transport) => transport.close()));
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#http.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host = '', origin, authorization = '' } = request.headers;
    const isOwn = this.#names.includes(host.toLowerCase());
    if (!isOwn || (origin !== undefined && !this.#names.some((name) => origin.toLowerCase() === `http://${name}`))) {
      return refuse(response, 403, 'Host and Origin have to be those of this server.');
    }
    if (pathOf(request.url ?? '') !== PATH) {
      return refuse(response, 404, `Agents are served at ${PATH}.`);
    }
    if (!isSame(authorization, `Bearer ${this.#options.token}`)) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      return refuse(response, 401, 'The token is missing or wrong.');
    }
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      return refuse(response, 404, 'This session has ended.');
    }
    await (known ?? (await this.#begun())).handleRequest(request, response);
  }

  /** Returns a transport for a client whose first request begins a session. */
  async #begun(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        this.#sessions.set(id, transport);
        const [oldest] = this.#sessions.keys();
        if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) {
          await this.#sessions.get(oldest)?.close();
        }
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) {
        this.#sessions.delete(transport.sessionId);
      }
    };
    // The types of the library were not written for exact optional properties.
    await this.#options.server().connect(transport as Parameters<McpServer['connect']>[0]);
    return transport;
  }
}

/** Returns the path of a request target, which may be a whole address and need not be valid (RFC 9112, section 3.2). */
function pathOf(target: string): string {
  return /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] ?? '';
}

/** Compares in a time that does not depend on the bytes. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
