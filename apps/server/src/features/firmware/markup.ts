/** Text of people in the markup of ours. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and quoted attributes of HTML and SVG. Characters that no XML may have become U+FFFD. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}
