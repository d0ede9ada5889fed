import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundTranscript, Importer, ReadOptions, Transcript } from '../importer.ts'
import { objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { timeIn } from '../kit/time-in.ts'
import { beginningOf, filesBelow, readObjects, type FileLine } from '../kit/transcript-files.ts'
import { lineOf, promptIn, type PromptKinds } from './prompt-in.ts'
import { initialTranscript, translateTranscript, type TranscriptState } from './transcript.ts'

/** Codex's rollouts: a file a session. */
export const importer: Importer<TranscriptState> = {
  places(env) {
    const home = env['CODEX_HOME'] ?? join(env['HOME'] ?? '/', '.codex')
    return [join(home, 'sessions'), join(home, 'archived_sessions')]
  },
  find,
  initial: initialTranscript,
  translate: translateTranscript,
}

async function* find(path: string): AsyncGenerator<FoundTranscript> {
  for await (const file of filesBelow(path)) {
    if (!/\.jsonl(\.gz|\.zst)?$/.test(file)) continue
    const [first] = await beginningOf(file)
    if (first === undefined || !isMeta(first)) continue
    const { size } = await stat(file)
    yield { file, bytes: size, read: options => read(file, options) }
  }
}

/** A rollout begins with what is known of its session. */
function isMeta(line: Fields): boolean {
  if (line['type'] === 'session_meta') return typeof objectOf(line, 'payload')['id'] === 'string'
  return typeof line['id'] === 'string' && 'instructions' in line && 'timestamp' in line
}

async function read(file: string, options: ReadOptions): Promise<Transcript> {
  const lines = await readObjects(file, options)
  const meta = lineOf(lines[0]?.fields ?? {}).payload
  const agentSession = textOf(meta, 'id')
  const kinds = kindsIn(lines)
  return {
    agentSession,
    cwd: textOrNull(meta, 'cwd'),
    title: null,
    lines: lines.map(({ raw, fields }, index) => {
      const prompt = fields === null ? null : promptIn(fields, `${agentSession}.p${index + 1}`, kinds)
      const from = prompt === null ? 'agent' : 'host'
      return { from, raw, at: timeIn(fields?.['timestamp']), prompt }
    }),
  }
}

function kindsIn(lines: readonly FileLine[]): PromptKinds {
  const has = (kinds: PromptKinds) =>
    lines.some(({ fields }) => fields !== null && promptIn(fields, '', kinds) !== null)
  return has('event') ? 'event' : has('item') ? 'item' : 'message'
}
