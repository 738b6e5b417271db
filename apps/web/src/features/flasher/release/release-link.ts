/** Converts a pasted share link to the address of this flasher's page with that release. */

export type ReleaseLink =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly fault: string };

/**
 * @param text The link, or its query with the leading `?`.
 * @param here Address of this page.
 */
export function releaseLink(text: string, here: string): ReleaseLink {
  const link = URL.parse(text.trim(), here);
  if (link === null || text.trim() === '') {
    return { ok: false, fault: 'Paste the link of a release.' };
  }
  if (link.origin !== new URL(here).origin) {
    return { ok: false, fault: `This link is for another server. Open it there: ${link.origin}` };
  }
  const type = link.searchParams.get('type');
  const id = link.searchParams.get('id')?.trim() ?? '';
  if ((type !== 'project' && type !== 'version') || !/^[\w-]{1,64}$/.test(id)) {
    return {
      ok: false,
      fault: 'This is not a release link. Release links end in ?type=version&id=… or ?type=project&id=…',
    };
  }
  return { ok: true, address: `${new URL(here).pathname}?${new URLSearchParams({ type, id })}` };
}
