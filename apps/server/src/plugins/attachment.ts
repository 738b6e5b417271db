/** The header of a download that carries the file's name. */

/**
 * Returns `Content-Disposition` for a download (RFC 6266): an ASCII name for old clients, the whole name for others.
 */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\w.() -]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${encoded}`}`;
}
