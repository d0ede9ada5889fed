import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import type { FoundTranscript, Importer } from '../../agents/importer.ts'
import { filesBelow, troubleWith } from '../../agents/kit/transcript-files.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Shell } from '../shell.ts'

/** A transcript, and whose it is. */
export interface AgentTranscript {
  readonly agent: Agent
  readonly found: FoundTranscript
}

/** A file or folder that could not be read, and why. */
export interface Unread {
  readonly file: string
  readonly reason: string
}

/** Where transcripts are looked for. */
export interface Search {
  readonly agents: readonly Agent[]
  /** A file or folder; undefined for the agents' usual places. */
  readonly path: string | undefined
}

/** Agents that leave transcripts, or the one that is named. */
export function importingAgents(all: Iterable<Agent>, name: string | undefined): readonly Agent[] {
  const agents = [...all].filter(({ importer }) => importer !== undefined)
  if (name === undefined) return agents
  const named = agents.filter(agent => agent.name === name)
  if (named.length > 0) return named
  const names = agents.map(agent => agent.name).join(', ')
  throw new DragomanError(
    'unknown-agent',
    `Transcripts of "${name}" cannot be imported. Supported agents: ${names}.`,
  )
}

/** Finds transcripts in a place, or in the usual places of agents; nothing else is looked at. */
export async function findTranscripts(
  { agents, path }: Search,
  { env, cwd }: Shell,
): Promise<{ readonly found: readonly AgentTranscript[]; readonly unread: readonly Unread[] }> {
  const found: AgentTranscript[] = []
  const unread = new Map<string, Unread>()
  for (const agent of agents) {
    const importer = agent.importer as Importer
    const places =
      path === undefined ? importer.places(env).filter(place => existsSync(place)) : [resolve(cwd, path)]
    for (const place of places) {
      try {
        for await (const each of importer.find(place)) found.push({ agent, found: each })
      } catch (error) {
        unread.set(place, { file: place, reason: whyUnread(error) })
      }
    }
  }
  if (path !== undefined && unread.size === 0)
    for (const each of await findSpoiled(resolve(cwd, path), found)) unread.set(each.file, each)
  return { found, unread: [...unread.values()] }
}

/** Says in a sentence why a place could not be read, and what to do. */
function whyUnread(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return 'No such file or folder. Check the path, or leave it out to search the usual folders of the agents.'
  if (code === 'EACCES' || code === 'EPERM') return 'No permission to read it. Check its permissions.'
  return message
}

/** Files named like transcripts that cannot be read, so their agent is unknown. */
async function findSpoiled(path: string, found: readonly AgentTranscript[]): Promise<readonly Unread[]> {
  const known = new Set(found.map(({ found: { file } }) => file))
  const spoiled: Unread[] = []
  for await (const file of filesBelow(path)) {
    if (known.has(file) || !/\.jsonl(\.gz|\.zst)?$/.test(file)) continue
    const reason = await troubleWith(file)
    if (reason !== null) spoiled.push({ file, reason })
  }
  return spoiled
}
