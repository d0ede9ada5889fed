import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import type { SkippedLine, Transcript } from '../../agents/importer.ts'
import type { Journal } from '../../journal/journal.ts'
import { createMessages } from '../../projections/messages.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Message } from '../../protocol/message.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { compareTranslations } from '../view/compare-translations.ts'
import type { Imported } from './import-transcript.ts'

/** A folder with files of these names, which is gone after the test. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Lines of JSON. */
export const jsonLines = (lines: readonly object[]): string =>
  lines.map(line => `${JSON.stringify(line)}\n`).join('')

/** All transcripts of an agent in a folder, and the lines that were left out. */
export async function readTranscripts(agent: Agent, folder: string) {
  const skipped: SkippedLine[] = []
  const transcripts: Transcript[] = []
  for await (const found of agent.importer?.find(folder) ?? [])
    transcripts.push(
      await found.read({ dataFolder: folder, skip: (line: SkippedLine) => void skipped.push(line) }),
    )
  return { transcripts, skipped }
}

/** A house in which transcripts of an agent are imported. */
export interface ImportHouse extends House {
  import(transcript: Transcript): Promise<Imported>
  messages(session: Imported['session']): Promise<ReadonlyMap<Thread, readonly Message[]>>
  /** The entries that mean something else when they are translated again. */
  differences(session: Imported['session']): Promise<number>
}

/** Opens a house for imports. */
export async function openImports(
  agent: Agent,
  wrap: (journal: Journal) => Journal = journal => journal,
): Promise<ImportHouse> {
  const house = await openHouse([agent], { wrap })
  return {
    ...house,
    import: transcript => house.sessions.import({ agent: agent.name, file: 'a file', transcript }),
    messages: async session => messagesIn(await house.entries(session)),
    async differences(session) {
      let count = 0
      const again = { journal: house.journal, agents: new Map([[agent.name, agent]]) }
      for await (const _ of compareTranslations(again, session)) count += 1
      return count
    },
  }
}

/** The messages that are kept of some entries, by thread. */
export function messagesIn(entries: readonly Entry[]): ReadonlyMap<Thread, readonly Message[]> {
  const messages = createMessages()
  for (const entry of entries) messages.apply(entry)
  return new Map([...messages.view()].map(([thread, kept]) => [thread, kept.map(({ message }) => message)]))
}

/** The content of a thread, one line for each part. */
export function wordsOf(messages: readonly Message[] | undefined): readonly string[] {
  return (messages ?? []).flatMap(({ role, parts }) =>
    parts.flatMap(part => {
      if (part.type === 'text') return [`${role}: ${part.text}`]
      if (part.type === 'reasoning') return [`thinks: ${part.text}`]
      if (part.type === 'dynamic-tool') return [`${part.toolName}: ${part.state}`]
      if (part.type === 'data-notice') return [`${part.data.code}: ${part.data.message}`]
      if (part.type === 'data-subagent') return [`subagent: ${part.data.status}`]
      return part.type === 'data-unknown' ? [`unknown: ${part.data.kind}`] : []
    }),
  )
}
