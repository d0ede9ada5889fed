import type { SkippedLine } from '../../agents/importer.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Sessions } from '../sessions.ts'
import type { AgentTranscript, Unread } from './find-transcripts.ts'
import type { Imported } from './import-transcript.ts'

/** What an import did with a transcript or a line. */
export type ImportNote =
  | ({ readonly type: 'imported'; readonly agent: string; readonly file: string } & Imported)
  | ({ readonly type: 'skipped' } & SkippedLine)
  | ({ readonly type: 'unread' } & Unread)

/** Where transcripts are imported to, and how they are read. */
export interface ImportTarget {
  readonly sessions: Pick<Sessions, 'import'>
  readonly dataFolder: string
  readonly unpackLimit: number | undefined
}

/** Reads a transcript that was found, and imports it. An unreadable file affects only itself; a failure to save is thrown. */
export async function importFound(
  { sessions, dataFolder, unpackLimit }: ImportTarget,
  { agent, found }: AgentTranscript,
  note: (note: ImportNote) => void,
): Promise<void> {
  const { file } = found
  try {
    const skip = (line: SkippedLine) => note({ type: 'skipped', ...line })
    const transcript = await found.read({ dataFolder, unpackLimit, skip })
    note({ type: 'imported', agent, file, ...(await sessions.import({ agent, file, transcript })) })
  } catch (error) {
    if (isDragomanError(error)) throw error
    note({ type: 'unread', file, reason: (error as Error).message })
  }
}
