import { givenText } from '@wirebench/port/given-text';

/**
 * Returns the text of a file that a person gave, in UTF-8 or UTF-16, without its byte order mark.
 *
 * @throws DOMException if the browser refuses the file, or if it was changed.
 */
export const readGivenText = async (file: Blob): Promise<string> => givenText(new Uint8Array(await file.arrayBuffer()));
