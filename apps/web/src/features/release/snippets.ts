/** Texts that users paste into their readmes and pages. */

/** Returns a badge that links to the release. Escapes characters that end a label or an address in Markdown. */
export function badgeMarkdown(name: string, badge: string, link: string): string {
  const label = name.replace(/[\\[\]]/g, '\\$&');
  return `[![${label}](${badge})](${link})`;
}

/**
 * Returns the element of ESP Web Tools (https://esphome.github.io/esp-web-tools/, "Using ESP Web Tools on your
 * website").
 */
export function installButton(manifest: string): string {
  const value = manifest.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<esp-web-install-button manifest="${value}"></esp-web-install-button>`;
}
