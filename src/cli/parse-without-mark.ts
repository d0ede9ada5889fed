/** Parses the JSON of a file, without the byte order mark that some Windows editors add. */
export const parseWithoutMark = (text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, ''))
