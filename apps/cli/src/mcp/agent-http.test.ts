/** Agents over HTTP on the loopback interface. */
import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentHttp } from './agent-http.ts';

const token = 'a token of the test';

describe('agents over HTTP', () => {
  let server: AgentHttp;
  let begun = 0;
  beforeAll(async () => {
    const create = () => {
      begun++;
      const one = new McpServer({ name: 'test', version: '1.0.0' });
      one.registerTool('name', {}, () => ({ content: [{ type: 'text', text: 'wirebench' }] }));
      return one;
    };
    server = await AgentHttp.listen({ port: 0, token, server: create });
  });
  afterAll(() => server.close());

  async function connected(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = { Authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(server.address), { requestInit: { headers } });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    return client;
  }

  /** Sends `initialize` with these headers. Returns the status. */
  function initialize(headers: Readonly<Record<string, string>>, path = '/mcp'): Promise<number | undefined> {
    const { hostname, port } = new URL(server.address);
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    return new Promise((resolve, reject) => {
      const sent = request({
        hostname,
        port,
        path,
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    });
  }

  it('have a session each', async () => {
    const [one, two] = [await connected(), await connected()];
    for (const client of [one, two]) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['name']);
      expect(await client.callTool({ name: 'name', arguments: {} })).toMatchObject({
        content: [{ text: 'wirebench' }],
      });
      await client.close();
    }
  });

  it('are refused with another Host or Origin, as a page of the web sends them', async () => {
    const { port } = new URL(server.address);
    const before = begun;
    for (const headers of [
      { Host: 'evil.example' },
      { Host: `evil.example:${port}` },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://localhost:${Number(port) + 1}` },
    ]) {
      expect(await initialize(headers as Record<string, string>)).toBe(403);
    }
    expect(begun).toBe(before);
    expect(await initialize({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).toBe(200);
    expect(await initialize({ Host: `[::1]:${port}` })).toBe(200);
  });

  it('are refused without the token, at another path, and in a session that has ended', async () => {
    const before = begun;
    expect(await initialize({ Authorization: 'Bearer wrong' })).toBe(401);
    expect(await initialize({ Authorization: '' })).toBe(401);
    for (const path of ['/', '//', '//mcp', '///', '/%zz', '*', 'http://', '/mcp/more']) {
      expect(await initialize({}, path), path).toBe(404);
    }
    expect(await initialize({ 'Mcp-Session-Id': 'gone' })).toBe(404);
    expect(begun).toBe(before);
  });

  it('lose the oldest of 17 sessions', async () => {
    const oldest = await connected();
    for (let number = 0; number < 16; number++) {
      expect(await initialize({})).toBe(200);
    }
    await expect(oldest.listTools()).rejects.toThrow('This session has ended');
  });
});
