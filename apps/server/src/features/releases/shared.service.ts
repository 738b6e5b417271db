/**
 * Public data of releases, as finished answers. The state of a project is read for every request, so that a private
 * one becomes inaccessible at once on every process. The answer itself is built once for each state.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import type {
  ErrorCode,
  FlashReport,
  PictureTheme,
  Project,
  ProjectSummary,
  ReleaseChannel,
  Version,
} from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import { BoundedMap } from '../../bounded-map.ts';
import { batched } from './batched.ts';
import { espManifest } from './esp-manifest.ts';
import type { FlashCounts } from './flash-counts.ts';
import { escapeMarkup } from './markup.ts';
import type { PictureRepository } from './pictures.repository.ts';
import { MAX_STATES, type PublicState, type SharedRepository } from './shared.repository.ts';
import type { SharedType, StoredFile, StoredPicture } from './shared-item.ts';
import { whileUnchanged } from './while-unchanged.ts';

/** The item that a share link leads to. */
export interface SharedItem {
  readonly project: ProjectSummary;
  /** For a project link, the newest public version of its channel; null without one. */
  readonly version: Version | null;
}

export interface SharedAnswer {
  readonly body: string;
  /** Value of the `etag` header. */
  readonly etag: string;
}

/** Code units of cached answers, of releases and of derived data separately: enough for some thousand releases. */
const CACHE_CAPACITY = 4 * 1_024 * 1_024;

/** 128 random bits in base64url, the only valid form of a share id. */
const SHARE_ID = /^[\w-]{22}$/;

/** Codes that mean that there is nothing to read. */
const ABSENCES: ReadonlySet<ErrorCode> = new Set(['not-found', 'taken-down', 'share-ended']);

export type SharedService = ReturnType<typeof sharedService>;

export interface SharedServiceOptions {
  readonly repository: SharedRepository;
  readonly pictures: Pick<PictureRepository, 'shared'>;
  readonly counts: FlashCounts;
  readonly clock: Clock;
  /** See `Database.contentVersion`. */
  readonly contentVersion: () => number | null;
}

interface Entry<Answer> {
  readonly answer: Answer;
  readonly revision: number;
}

/** Cache of finished answers, each valid for one revision of its item. */
export class AnswerCache<Answer> {
  readonly #entries: BoundedMap<string, Entry<Answer>>;

  /**
   * @param capacity UTF-16 code units of all answers together.
   * @param lengthOf Returns the code units of one answer.
   */
  constructor(capacity: number, lengthOf: (answer: Answer) => number) {
    this.#entries = new BoundedMap({ capacity, sizeOf: ({ answer }) => lengthOf(answer) });
  }

  get(key: string, revision: number): Answer | null {
    const entry = this.#entries.get(key);
    return entry?.revision === revision ? entry.answer : null;
  }

  set(key: string, revision: number, answer: Answer): void {
    this.#entries.set(key, { answer, revision });
  }
}

const HEIGHT = 20;
const PADDING = 7;
/** Average width of a letter of the usual sans-serif at 11 pixels. `textLength` fits the text to the reserved width. */
const LETTER = 6.6;
const MAX_LETTERS = 30;

/** Colours of the product's dark console and its accent, with a contrast of at least 4.5 to white text. */
const LEFT = '#24292f';
const RIGHT = '#0b6b5d';

/**
 * Draws a badge for readmes as SVG: name on the left, newest version on the right. It is self-contained and has no
 * script.
 */
export function badgeSvg(label: string, value: string): string {
  const [left, right] = [part(label, 0, LEFT), part(value, part(label, 0, LEFT).width, RIGHT)];
  const width = left.width + right.width;
  const title = escapeMarkup(`${label}: ${value}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">` +
    `<title>${title}</title>${left.box}${right.box}` +
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">` +
    `${left.text}${right.text}</g></svg>`
  );
}

function part(text: string, x: number, colour: string) {
  const letters = [...text];
  const shown = letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS - 1).join('')}…` : text;
  const textWidth = Math.ceil([...shown].length * LETTER);
  const width = textWidth + 2 * PADDING;
  return {
    width,
    box: `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${colour}"/>`,
    text: `<text x="${x + width / 2}" y="14" textLength="${textWidth}">${escapeMarkup(shown)}</text>`,
  };
}

export function sharedService({ repository, pictures, counts, clock, contentVersion }: SharedServiceOptions) {
  const releases = new AnswerCache<ReleaseAnswer>(CACHE_CAPACITY, ({ length }) => length);
  const derived = new AnswerCache<SharedAnswer>(CACHE_CAPACITY, ({ body }) => body.length);
  const states = {
    project: statesOf('project'),
    version: statesOf('version'),
  };

  function statesOf(type: SharedType) {
    const load = whileUnchanged(contentVersion, (ids) => repository.states(type, ids));
    return batched(load, MAX_STATES);
  }

  /**
   * Returns the state behind a share id.
   *
   * @throws ApiError 404 if nothing is public under it, 410 if its link has ended or it was taken down.
   */
  async function stateOf(type: SharedType, shareId: string): Promise<PublicState> {
    const state = SHARE_ID.test(shareId) ? await states[type](shareId) : undefined;
    if (state === undefined || hasEnded(state.endsAt)) {
      throw await absence(type, shareId);
    }
    return state;
  }

  /**
   * Returns the answer `key` for a state of the item, and builds it if it is not cached.
   *
   * @param build May return null if there is no answer.
   * @throws ApiError 404 if `build` returns null.
   */
  async function cached<Answer>(
    cache: AnswerCache<Answer>,
    key: string,
    { revision }: PublicState,
    build: () => Promise<Answer | null>,
  ): Promise<Answer> {
    const known = cache.get(key, revision);
    if (known !== null) {
      return known;
    }
    const built = await build();
    if (built === null) {
      throw new ApiError('not-found');
    }
    cache.set(key, revision, built);
    return built;
  }

  /** Returns data that is derived from a release without its counts. */
  async function derive(
    kind: string,
    type: SharedType,
    shareId: string,
    build: (item: SharedItem) => string | null,
    channel: ReleaseChannel = 'stable',
  ): Promise<SharedAnswer> {
    return cached(derived, `${kind} ${type} ${shareId} ${channel}`, await stateOf(type, shareId), async () => {
      const shared = await item(type, shareId, channel);
      const body = shared === null ? null : build(shared);
      return body === null ? null : { body, etag: tagOf(body) };
    });
  }

  /** Returns a public project with its public versions of a channel. */
  async function projectOf(shareId: string, channel: ReleaseChannel): Promise<Project | null> {
    const project = await repository.project(shareId);
    return project === null || channel === 'beta'
      ? project
      : { ...project, versions: project.versions.filter((version) => version.channel === undefined) };
  }

  async function releaseOf(type: SharedType, shareId: string, channel: ReleaseChannel): Promise<Release | null> {
    if (type === 'version') {
      return repository.version(shareId);
    }
    const project = await projectOf(shareId, channel);
    return project === null ? null : { project };
  }

  const now = () => new Date(clock.wallTime()).toISOString();
  const hasEnded = (endsAt: string | null | undefined) => endsAt != null && endsAt <= now();

  /** Returns the reason why an item is no longer public. Nothing is revealed about private items. */
  async function absence(type: SharedType, shareId: string): Promise<ApiError> {
    const reason = SHARE_ID.test(shareId) ? await repository.absence(type, shareId, now()) : null;
    return new ApiError(reason ?? 'not-found');
  }

  async function item(type: SharedType, shareId: string, channel: ReleaseChannel): Promise<SharedItem | null> {
    if (!SHARE_ID.test(shareId)) {
      return null;
    }
    if (type === 'version') {
      const shared = await repository.version(shareId);
      return hasEnded(shared?.version.shareEndsAt) ? null : shared;
    }
    const project = await projectOf(shareId, channel);
    return project === null || hasEnded(project.shareEndsAt) ? null : { project, version: project.versions[0] ?? null };
  }

  /** Returns the id if it is that of a build of the version; null otherwise, and for an older client without one. */
  async function knownBuild(shareId: string, buildId: string | undefined): Promise<string | null> {
    if (buildId === undefined) {
      return null;
    }
    const { body } = await derive('builds', 'version', shareId, ({ version }) =>
      JSON.stringify((version?.builds ?? []).map(({ _id }) => _id)),
    );
    return (JSON.parse(body) as string[]).includes(buildId) ? buildId : null;
  }

  return {
    /**
     * Returns the result of `build`, built once for each state of the item; null if nothing is public under this
     * share id.
     */
    async derived(
      kind: string,
      type: SharedType,
      shareId: string,
      build: (item: SharedItem) => string,
    ): Promise<string | null> {
      try {
        return (await derive(kind, type, shareId, build)).body;
      } catch (error) {
        if (error instanceof ApiError && ABSENCES.has(error.code)) {
          return null;
        }
        throw error;
      }
    },

    /** Returns `{ project }` with its public versions of the channel, or `{ project, version }`. */
    async read(type: SharedType, shareId: string, channel: ReleaseChannel = 'stable'): Promise<SharedAnswer> {
      const state = await stateOf(type, shareId);
      const answer = await cached(releases, `${type} ${shareId} ${channel}`, state, async () => {
        const release = await releaseOf(type, shareId, channel);
        return release === null ? null : new ReleaseAnswer(release);
      });
      return { body: answer.bodyWith(await counts.successes(answer.countedIds)), etag: answer.etag };
    },

    manifest: (type: SharedType, shareId: string, channel?: ReleaseChannel): Promise<SharedAnswer> => {
      const build = ({ project, version }: SharedItem) => {
        const manifest = version === null ? null : espManifest(project, version);
        return manifest === null ? null : JSON.stringify(manifest);
      };
      return derive('manifest', type, shareId, build, channel);
    },

    badge: (type: SharedType, shareId: string, channel?: ReleaseChannel): Promise<SharedAnswer> => {
      const build = ({ project, version }: SharedItem) =>
        badgeSvg(project.name, version?.version ?? 'no version published yet');
      return derive('badge', type, shareId, build, channel);
    },

    async file(type: SharedType, shareId: string, fileId: string): Promise<StoredFile> {
      const file = SHARE_ID.test(shareId) ? await repository.file(type, shareId, fileId, now()) : null;
      if (file === null) {
        throw await absence(type, shareId);
      }
      return file;
    },

    async picture(type: SharedType, shareId: string, theme: PictureTheme): Promise<StoredPicture> {
      const picture = SHARE_ID.test(shareId) ? await pictures.shared(type, shareId, theme, now()) : null;
      if (picture === null) {
        throw await absence(type, shareId);
      }
      return picture;
    },

    /**
     * Returns the id of the version that is public under a share id.
     *
     * @throws ApiError if there is no such version.
     */
    publicVersion: async (shareId: string): Promise<string> => (await stateOf('version', shareId)).id,

    /** Counts a flash of a public version. It is written within a second. */
    async report(shareId: string, report: FlashReport): Promise<void> {
      const { result = 'success', chip = '', errorCode = '', buildId } = report ?? {};
      const { id } = await stateOf('version', shareId);
      await counts.add(id, { result, chip, errorCode }, await knownBuild(shareId, buildId));
    },
  };
}

/** `{ project }` with its public versions, or `{ project, version }`. */
export type Release = { readonly project: Project } | { readonly project: ProjectSummary; readonly version: Version };

export class ReleaseAnswer {
  /** Ids of the versions, each followed by its builds. */
  readonly countedIds: readonly string[];
  /** A weak tag (RFC 9110, section 8.8.1): it stays the same when only the counts differ. */
  readonly etag: string;
  readonly #release: Release;
  #counts: readonly number[];
  #body: string;

  constructor(release: Release) {
    const versions = 'version' in release ? [release.version] : release.project.versions;
    this.countedIds = versions.flatMap(({ _id, builds = [] }) => [_id, ...builds.map((build) => build._id)]);
    this.#release = release;
    this.#counts = this.countedIds.map(() => 0);
    this.#body = bodyOf(release, this.#counts);
    this.etag = `W/${tagOf(this.#body)}`;
  }

  /** Approximate length in UTF-16 code units. */
  get length(): number {
    return this.#body.length;
  }

  /** Returns the body with these flash counts, in the order of `countedIds`. */
  bodyWith(counts: readonly number[]): string {
    if (counts.some((count, index) => count !== this.#counts[index])) {
      this.#counts = counts;
      this.#body = bodyOf(this.#release, counts);
    }
    return this.#body;
  }
}

/** Returns the tag of a text, including its quotes. */
function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

function bodyOf(release: Release, counts: readonly number[]): string {
  const left = counts.values();
  const next = () => left.next().value ?? 0;
  const counted = (version: Version) => ({
    ...version,
    writeCount: next(),
    ...(version.builds === undefined
      ? {}
      : { builds: version.builds.map((build) => ({ ...build, writeCount: next() })) }),
  });
  return JSON.stringify(
    'version' in release
      ? { ...release, version: counted(release.version) }
      : { project: { ...release.project, versions: release.project.versions.map(counted) } },
  );
}
