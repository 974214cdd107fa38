/** `pageFormats` are the output formats of a page that explains something. */
export const pageFormats = ['text', 'json', 'yaml'] as const;
export type PageFormat = (typeof pageFormats)[number];
