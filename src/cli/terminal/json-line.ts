/**
 * JSON that is safe to show on a terminal: characters that move the cursor, change the direction of text or are invisible are
 * escaped. Parsing it gives the same value.
 */
export const inertJson = (json: string): string => json.replaceAll(active, escaped)

/** A value as one line of such JSON. */
export const jsonLine = (value: unknown): string => `${inertJson(JSON.stringify(value))}\n`

// JSON itself escapes what is below U+0020.
const active = /[\u007f-\u009f\u2028\u2029]|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu

const escaped = (char: string) =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
