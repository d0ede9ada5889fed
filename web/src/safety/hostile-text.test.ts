import { describe, expect, it } from 'vitest'
import { slowFor } from '../../../e2e/patterns/slow-for.ts'
import { createBlockCutter, lexBlock } from '../markdown/blocks.ts'
import { readEnvelope } from '../tools/diff/read-envelope.ts'
import { readUnified } from '../tools/diff/read-unified.ts'
import { filesOf, hitsOf } from '../tools/sections/hits-of.ts'
import { readNumbered } from '../tools/sections/read-sections.ts'
import { subagentAnswer } from '../tools/sections/subagent-answer.ts'
import { parseAnsi } from '../tools/terminal/parse-ansi.ts'
import { inertPieces } from './inert-text.ts'

/** What reads text that agents chose. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  inertPieces,
  parseAnsi,
  hitsOf,
  filesOf,
  readNumbered,
  subagentAnswer,
  readUnified,
  readEnvelope,
  lexBlock: text => lexBlock(text, {}, true),
  markdownBlocks: text => createBlockCutter().cut(text),
}

describe('text that agents chose', () => {
  it.each(Object.entries(readers))('[S12] [S28] %s takes time in proportion to it', (_, read) => {
    expect(slowFor(read)).toEqual([])
  })
})
