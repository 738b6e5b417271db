/**
 * An S3 gateway for tests: Ceph's `radosgw` with one monitor and one object store in memory, on loopback ports, ended
 * by its process ids. It needs Debian's `radosgw`, `ceph-mon`, `ceph-osd` and `ceph-common`, but not root.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

export interface S3Account {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Gateway extends AsyncDisposable {
  readonly account: S3Account;
}

const programs = ['radosgw', 'radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'ceph-authtool', 'monmaptool'];

export function isGatewayInstalled(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return programs.every((program) => folders.some((folder) => existsSync(join(folder, program))));
}

/**
 * Starts the gateway.
 *
 * @throws Error with the output of a program that fails.
 */
export async function startGateway(): Promise<S3Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-s3-'));
  const running: ChildProcess[] = [];
  const dispose = async () => {
    await Promise.all(running.map(end));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const account = await startCluster(folder, running);
    return { account, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function startCluster(folder: string, running: ChildProcess[]): Promise<S3Account> {
  const [monitorPort, port] = [await freePort(), await freePort()];
  const cluster = randomUUID();
  await writeFile(join(folder, 'ceph.conf'), configuration(folder, cluster, monitorPort, port));
  await Promise.all(['mon', 'osd'].map((name) => mkdir(join(folder, name))));
  const run = async (program: string, ...args: string[]) => {
    await promisify(execFile)(program, ['--conf', 'ceph.conf', ...args], { cwd: folder, timeout: 60_000 });
  };
  const start = (program: string, ...args: string[]) =>
    running.push(
      spawn(program, ['--conf', 'ceph.conf', ...args, '--foreground'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'ignore'],
      }),
    );

  await run('ceph-authtool', '--create-keyring', 'keyring', '--gen-key', '--name', 'mon.', '--cap', 'mon', 'allow *');
  for (const [name, monitor] of [
    ['client.admin', 'allow *'],
    ['client.rgw', 'allow *'],
    ['osd.0', 'allow profile osd'],
  ] as const) {
    await run(
      'ceph-authtool',
      'keyring',
      '--gen-key',
      '--name',
      name,
      '--cap',
      'mon',
      monitor,
      '--cap',
      'osd',
      'allow *',
    );
  }
  const monitorAddress = `[v2:127.0.0.1:${monitorPort}]`;
  await run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', monitorAddress, 'monmap');
  await run('ceph-mon', '--mkfs', '--id', 'a', '--monmap', 'monmap', '--keyring', 'keyring');
  start('ceph-mon', '--id', 'a');
  const device = randomUUID();
  await run('ceph', 'osd', 'new', device);
  await run('ceph', 'auth', 'import', '-i', 'keyring');
  await run('ceph-osd', '--id', '0', '--mkfs', '--osd-uuid', device);
  start('ceph-osd', '--id', '0');
  const account = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'default',
    accessKeyId: randomBytes(10).toString('hex'),
    secretAccessKey: randomBytes(20).toString('hex'),
  };
  const { accessKeyId, secretAccessKey } = account;
  const keys = ['--access-key', accessKeyId, '--secret', secretAccessKey];
  await run(
    'radosgw-admin',
    '--name',
    'client.rgw',
    'user',
    'create',
    '--uid',
    'test',
    '--display-name',
    'test',
    ...keys,
  );
  start('radosgw', '--name', 'client.rgw');
  await untilItAnswers(account.endpoint, running);
  return account;
}

/** Returns the configuration: pools with a single copy, and a single monitor. */
function configuration(folder: string, cluster: string, monitorPort: number, port: number): string {
  return `[global]
fsid = ${cluster}
mon host = v2:127.0.0.1:${monitorPort}
mon initial members = a
public addr = 127.0.0.1
keyring = ${folder}/keyring
run dir = ${folder}
admin socket = ${folder}/$name.$pid.asok
log file = ${folder}/$name.log
log to stderr = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data = ${folder}/mon
paxos propose interval = 0.02
paxos min wait = 0.01
osd objectstore = memstore
osd data = ${folder}/osd
memstore device bytes = 1073741824
[client.rgw]
rgw data = ${folder}
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw run sync thread = false
rgw enable lc threads = false
rgw dynamic resharding = false
rgw override bucket index max shards = 1
`;
}

async function untilItAnswers(endpoint: string, running: readonly ChildProcess[]): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (running.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)) {
      throw new Error('A program of the S3 gateway ended');
    }
    const answer = await fetch(endpoint).catch(() => null);
    if (answer?.ok) {
      return;
    }
    await sleep(100);
  }
  throw new Error('The S3 gateway does not answer');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}
