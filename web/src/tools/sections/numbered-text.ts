/** Text with line numbers, and the text before and after it. */
export interface NumberedText {
  readonly before: string
  /** The number of the first line. */
  readonly first: number
  readonly text: string
  readonly after: string
}

// `     1→text` and `1⇥text` of Claude Code, `00001| text` and `1: text` of OpenCode.
const numbered = /^ *0*(\d{1,9})(?:→|\t|\| ?|: ?)(.*)$/

/** Takes the numbers off that agents put before the lines of a file; null where there are none. */
export function readNumbered(text: string): NumberedText | null {
  const lines = text.split('\n')
  const start = lines.findIndex(line => numbered.test(line))
  // Numbers in the middle of something else are part of it.
  if (start === -1 || start > 5) return null
  const first = Number(numbered.exec(lines[start] ?? '')?.[1])
  const bare: string[] = []
  for (const line of lines.slice(start)) {
    const [, number, rest = ''] = numbered.exec(line) ?? []
    if (Number(number) !== first + bare.length) break
    bare.push(rest)
  }
  return {
    before: lines.slice(0, start).join('\n'),
    first,
    text: bare.join('\n'),
    after: lines.slice(start + bare.length).join('\n'),
  }
}
