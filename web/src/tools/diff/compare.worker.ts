import { compareLines, type CompareReply, type CompareRequest } from './compare-lines.ts'

// Compares large texts beside the page, so that the page never waits for it.
addEventListener('message', ({ data: { id, from, to, first } }: MessageEvent<CompareRequest>) => {
  const reply: CompareReply = { id, comparison: compareLines(from, to, first) }
  postMessage(reply)
})
