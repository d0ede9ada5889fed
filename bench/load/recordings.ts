import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

/** The lines of one recorded conversation, and which agent it was with. */
export interface Recording {
  readonly agent: string
  readonly lines: readonly string[]
}

/** The recordings at hand, and where they come from. */
export interface Recordings {
  readonly source: string
  readonly all: readonly Recording[]
}

const places = [
  {
    source: 'shared/recordings',
    folder: join(repository, '../shared/recordings'),
    pattern: '{claude-code,codex,opencode,gemini-cli,acp}/*.jsonl',
  },
  {
    source: 'src/agents/*/recordings',
    folder: join(repository, 'src/agents'),
    pattern: '*/recordings/*.jsonl',
  },
] as const

/** Reads every line of every recording: the large collection beside the repository if it is there, else our own. */
export function readRecordings(): Recordings {
  for (const { source, folder, pattern } of places) {
    if (!existsSync(folder)) continue
    const paths = globSync(pattern, { cwd: folder }).toSorted()
    const all = paths.map(path => ({
      agent: path.split('/')[0] ?? '',
      lines: readFileSync(join(folder, path), 'utf8')
        .split('\n')
        .filter(line => line !== ''),
    }))
    if (all.length > 0) return { source, all: all.filter(({ lines }) => lines.length > 0) }
  }
  throw new Error('There are no recordings to measure with.')
}

/** Deals recordings out into sessions, each of one agent, every agent having as many sessions as any other. */
export function dealSessions({ all }: Recordings, count: number): readonly (readonly Recording[])[] {
  const agents = [...new Set(all.map(({ agent }) => agent))]
  const each = Math.ceil(count / agents.length)
  return agents
    .flatMap(agent => {
      const own = all.filter(recording => recording.agent === agent)
      return Array.from({ length: each }, (_, no) => own.filter((_one, index) => index % each === no))
    })
    .slice(0, count)
}
