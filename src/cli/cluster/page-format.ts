/** How a page that explains something is printed. */
export const pageFormats = ['text', 'json', 'yaml'] as const;
export type PageFormat = (typeof pageFormats)[number];
