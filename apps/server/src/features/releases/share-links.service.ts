/** Rules of share links: a new link ends the old one at once, and an end lies in the future. */
import type { Clock } from '@wirebench/clock';
import { type Project, releaseText, type Version } from '@wirebench/contract';
import type { Actor } from '../../access/actor.ts';
import { refusedField, requireFound } from '../../api-error.ts';
import { newShareId } from './projects.service.ts';
import type { LinkChange, ShareLinkRepository } from './share-links.repository.ts';

export type ShareLinkService = ReturnType<typeof shareLinkService>;

export function shareLinkService(links: ShareLinkRepository, clock: Clock) {
  const edit = (id: string, actor: Actor) => ({ id, actor, at: new Date(clock.wallTime()).toISOString() });
  const project = async (id: string, actor: Actor, change: LinkChange): Promise<Project> =>
    requireFound(await links.changeProject(edit(id, actor), change));
  const version = async (id: string, actor: Actor, change: LinkChange): Promise<Version> =>
    requireFound(await links.changeVersion(edit(id, actor), change));

  function endOf(endsAt: string | null): LinkChange {
    if (endsAt === null) {
      return { endsAt };
    }
    const end = new Date(endsAt);
    if (end.getTime() <= clock.wallTime()) {
      throw refusedField('endsAt', releaseText.shareEndPast);
    }
    // One format, because ends are compared as text.
    return { endsAt: end.toISOString() };
  }

  return {
    renewProject: (id: string, actor: Actor) => project(id, actor, { shareId: newShareId() }),
    renewVersion: (id: string, actor: Actor) => version(id, actor, { shareId: newShareId() }),
    endProject: (id: string, actor: Actor, endsAt: string | null) => project(id, actor, endOf(endsAt)),
    endVersion: (id: string, actor: Actor, endsAt: string | null) => version(id, actor, endOf(endsAt)),
  };
}
