import type { Block } from '../transcript/block.ts'
import { anchor, type Fate } from './show.ts'

const idle = 60 * 60 * 1000
const keep = 5

/** The reported rule of Claude Code: after an hour without a request only the newest five results are sent. */
export const claudeCodeIdle = anchor('claude code idle (60 min, keep 5)', () => {
  const cleared = new Map<Block, Fate>()
  let last = Number.POSITIVE_INFINITY
  return (request, seen) => {
    const results = request.at - last > idle ? seen.filter(({ kind }) => kind === 'result') : []
    for (const block of results.slice(0, -keep)) cleared.set(block, '[Old tool result content cleared]')
    last = request.at
    return cleared
  }
})
