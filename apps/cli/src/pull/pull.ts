/** `wirebench pull`: the files of a release, verified, in a folder that `wirebench flash` takes. */
import { firmwarePaths, ProjectList } from '@wirebench/contract';
import { releaseText, titleOf } from '@wirebench/flasher/callers';
import { sizeText } from '@wirebench/flasher/core';
import { loadManifest, type ManifestRequest, manifestAddress, readManifest } from '@wirebench/flasher/release';
import { counted } from '@wirebench/port/numbers';
import { BoardOutput } from '../board/board-output.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { manifestFailure } from '../flash/given-build.ts';
import { interruption } from '../interruption.ts';
import { outgoingFetch } from '../network/outgoing-fetch.ts';
import { printable } from '../printable.ts';
import { originOf, tokenOf } from '../publish/arguments.ts';
import { PublishError } from '../publish/publish-error.ts';
import { caller, projectNamed, versionNumbered } from '../publish/server-call.ts';
import { isForced } from '../saved-file.ts';
import { type PullableVersion, pullInto } from './pulled-folder.ts';

export async function runPull(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const isOfProject = options['project'] !== undefined;
  const [link = '', named] = isOfProject ? ['', ...given] : given;
  if (given.length > (isOfProject ? 1 : 2) || (!isOfProject && link === '')) {
    throw new CommandError(exitCodes.usage, 'name the link of a release, or --server and --project; then a folder.');
  }
  const ended = interruption(true);
  const output = new BoardOutput(options['json'] === true, false);
  try {
    const pullable = isOfProject
      ? await ofProject(options, ended.signal)
      : await ofLink(link, options['version'], ended.signal);
    const { release, version } = pullable;
    output.step(
      'release',
      { name: release.name, version: version.version, publisher: release.publisher, host: release.host },
      [releaseText(release, version), ...version.faults].map(printable).join('\n'),
    );
    const folder =
      named ??
      (titleOf(release.name, version.version)
        .replaceAll(/[^\w.-]+/g, '-')
        .replace(/^[.-]+/, '') ||
        'release');
    const { fetched, kept } = await pullInto(folder, pullable, {
      isForced: isForced(options),
      onFile: (file, state) =>
        output.step(
          'file',
          { ...file, state },
          `  ${printable(file.path)}, ${sizeText(file.size)}: ${stateText[state]}`,
        ),
      onProgress: (done, total) => output.bar('loading', 'Loading', { done, total }),
    });
    output.step(
      'pulled',
      { folder, fetched, kept },
      `${counted(fetched + kept, 'file')} in ${folder}: ${fetched} loaded, ${kept} there already. "wirebench flash PORT ${folder}" writes them.`,
    );
    return exitCodes.ok;
  } catch (error) {
    output.clearBar();
    if (ended.signal.aborted && !(error instanceof CommandError)) {
      throw new CommandError(ended.exitCode(), 'interrupted. The same command again loads the rest.');
    }
    throw error instanceof PublishError ? new CommandError(exitCodes.failed, error.message) : manifestFailure(error);
  } finally {
    output.clearBar();
  }
}

const stateText = {
  kept: 'there already',
  loaded: 'loaded and verified',
  unverified: 'loaded; its manifest states no hash',
} as const;

async function ofLink(link: string, wanted: OptionValues[string], signal: AbortSignal): Promise<PullableVersion> {
  const request = { fetch: outgoingFetch, signal, isSecurePage: false };
  const release = await loadManifest(manifestAddress(link), request);
  const version = wanted === undefined ? release.versions[0] : release.versions.find((one) => one.version === wanted);
  if (version === undefined) {
    const names = release.versions.map((one) => one.version).join(', ');
    throw new CommandError(
      exitCodes.failed,
      `there is no version ${wanted} at this link. There are: ${printable(names)}.`,
    );
  }
  return { release, version, request };
}

/** Finds a version of a project of the token's owner, which may be private: the newest stable one, or `--version`. */
async function ofProject(options: OptionValues, signal: AbortSignal): Promise<PullableVersion> {
  const { server, project: name, version: wanted } = options;
  if (typeof server !== 'string') {
    throw new CommandError(exitCodes.usage, '--project needs the --server that has it.');
  }
  const given = typeof options['token'] === 'string' ? options['token'] : undefined;
  const token = orWrongUse(() => tokenOf(given, process.env));
  const origin = orWrongUse(() => originOf(server));
  const { projects } = await caller(origin, token)(firmwarePaths.projects, ProjectList, undefined, signal);
  const project = projectNamed(String(name), projects);
  const { versions, ...summary } = project;
  const version =
    wanted === undefined
      ? (versions.find(({ channel }) => channel !== 'beta') ?? versions[0])
      : versionNumbered(String(wanted), project, projects);
  if (version === undefined || version === null) {
    const names = versions.map((one) => one.version).join(', ');
    throw new CommandError(
      exitCodes.failed,
      names === ''
        ? `the project ${printable(project.name)} has no version.`
        : `the project ${printable(project.name)} has no version ${wanted}. It has ${printable(names)}.`,
    );
  }
  const address = `${origin}${firmwarePaths.version(version._id)}`;
  const release = readManifest(JSON.stringify({ project: summary, version }), address);
  const [only] = release.versions;
  if (only === undefined) {
    throw new Error('a manifest has a version');
  }
  const authorized: ManifestRequest['fetch'] = (at, init) =>
    outgoingFetch(at, { ...init, headers: { authorization: `Bearer ${token}` } });
  return { release, version: only, request: { fetch: authorized, signal, isSecurePage: false } };
}

function orWrongUse(read: () => string): string {
  try {
    return read();
  } catch (error) {
    throw new CommandError(exitCodes.usage, (error as Error).message.replace(/\.?$/, '.'));
  }
}
