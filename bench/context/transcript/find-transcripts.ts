import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readSession } from './read-session.ts'
import type { Session } from './segment.ts'

/** What is wrong with an argument, and what to do, in a sentence. */
export class TranscriptError extends Error {
  override readonly name = 'TranscriptError'
}

const isTranscript = (name: string) => /\.jsonl(\.gz)?$/.test(name)

/** The transcripts of a folder and the folders in it, or the one file that was named; sorted by name. */
export function findTranscripts(path: string): readonly string[] {
  if (!existsSync(path))
    throw new TranscriptError(
      `There is no ${path}. Give the folder that holds the transcripts (*.jsonl or *.jsonl.gz).`,
    )
  if (!statSync(path).isDirectory()) return [path]
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(isTranscript).toSorted()
  if (found.length === 0)
    throw new TranscriptError(
      `${path} holds no transcripts. They end in .jsonl or .jsonl.gz; Claude Code keeps its own in ~/.claude/projects.`,
    )
  return found.map(name => join(path, name))
}

/** Reads one transcript, packed or not. */
export function readTranscript(path: string): Session {
  const name = basename(path).replace(/\.jsonl(\.gz)?$/, '')
  return readSession(name, textOf(path).split('\n'))
}

/** A folder or a link that cannot be read does not leave out the others. */
function textOf(path: string): string {
  try {
    return unpacked(path)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
  } catch (cause) {
    if (cause instanceof TranscriptError) throw cause
    const why = statSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? 'it is a folder'
      : (cause as Error).message
    throw new TranscriptError(`${path} cannot be read: ${why}.`, { cause })
  }
}

function unpacked(path: string): Buffer {
  const bytes = readFileSync(path)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isPacked) {
    if (path.endsWith('.gz'))
      throw new TranscriptError(`${path} is named .gz but is not gzip. Pack it again, or rename it.`)
    return bytes
  }
  try {
    return gunzipSync(bytes)
  } catch (cause) {
    throw new TranscriptError(`${path} is broken gzip: copy it again, or take it out of the folder.`, {
      cause,
    })
  }
}
