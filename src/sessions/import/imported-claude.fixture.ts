import { expect } from 'vitest'
import { claudeCode } from '../../agents/claude-code/index.ts'
import type { claudeLines } from './claude-lines.fixture.ts'
import { folderWith, jsonLines, openImports, readTranscripts, wordsOf } from './transcripts.fixture.ts'

/** The file of a transcript. */
export const nameOf = (lines: { readonly session: string }) => `${lines.session}.jsonl`

/** A transcript of Claude Code in some files, imported. */
export async function imported(files: Readonly<Record<string, string | Uint8Array>>) {
  const { transcripts, skipped } = await readTranscripts(claudeCode, folderWith(files))
  const [transcript] = transcripts
  if (transcript === undefined) throw new Error('There is no transcript.')
  const house = await openImports(claudeCode)
  const result = await house.import(transcript)
  const messages = await house.messages(result.session)
  expect(await house.differences(result.session)).toBe(0)
  return { house, transcript, skipped, result, messages, main: wordsOf(messages.get(null)) }
}

/** The same of one file with some lines. */
export const importedOf = (lines: ReturnType<typeof claudeLines>, all: readonly object[]) =>
  imported({ [nameOf(lines)]: jsonLines(all) })
