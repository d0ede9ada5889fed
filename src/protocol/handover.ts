/** Marks the start and end of a transcript that we send to an agent, so it is never mistaken for the person's text. */
export const handoverMarks = { begin: '<dragoman-conversation>', end: '</dragoman-conversation>' } as const

/** Puts words of ours between the marks; what looks like the last mark in them is changed so that it is none. */
export function markHandover(text: string): string {
  return `${handoverMarks.begin}\n${withoutMark(text)}\n${handoverMarks.end}`
}

/** The text without the end mark; its length does not change. */
export const withoutMark = (text: string): string =>
  text.replaceAll(handoverMarks.end, handoverMarks.end.replace('/', '|'))

/** The person's own words in what an agent was given, wherever it is read again: in its transcript, or its echo. */
export function withoutHandover(text: string): string {
  if (!text.startsWith(handoverMarks.begin)) return text
  const end = text.indexOf(handoverMarks.end)
  return end < 0 ? text : text.slice(end + handoverMarks.end.length).replace(/^\n+/, '')
}
