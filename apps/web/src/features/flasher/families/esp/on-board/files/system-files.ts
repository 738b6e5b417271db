/** Files that operating systems put into folders by themselves. No firmware wants them. */
const names = /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)$/;

export const isSystemFile = (path: string): boolean => names.test(path);
