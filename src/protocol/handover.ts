/** How words begin and end that tell an agent of a conversation: they are ours, and never the person's. */
export const handoverMarks = { begin: '<dragoman-conversation>', end: '</dragoman-conversation>' } as const

/** Puts words of ours between the marks; what looks like the last mark in them is changed so that it is none. */
export function markHandover(text: string): string {
  return `${handoverMarks.begin}\n${withoutMark(text)}\n${handoverMarks.end}`
}

/** A text in which the last mark does not stand; it is as long as before. */
export const withoutMark = (text: string): string =>
  text.replaceAll(handoverMarks.end, handoverMarks.end.replace('/', '|'))

/** The person's own words in what an agent was given, wherever it is read again: in its transcript, or its echo. */
export function withoutHandover(text: string): string {
  if (!text.startsWith(handoverMarks.begin)) return text
  const end = text.indexOf(handoverMarks.end)
  return end < 0 ? text : text.slice(end + handoverMarks.end.length).replace(/^\n+/, '')
}
