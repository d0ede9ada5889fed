/** Reads JSON of a file; editors of Windows put a byte order mark before it. */
export const parseWithoutMark = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''))
