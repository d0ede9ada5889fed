import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RawMessage } from '../agent.ts'
import { readLines } from './line-reader.ts'

const pieceSize = 64 * 1024

/** A line of an agent as it reaches a translator, read in pieces like the output of a process. */
export async function readLong(line: string, limit?: number): Promise<RawMessage> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dragoman-long-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const bytes = Buffer.from(`${line}\n`)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize)
  }
  const options = limit === undefined ? { dataFolder } : { dataFolder, limit }
  for await (const { raw, rawFile } of readLines(pieces(), options))
    return { from: 'agent', text: raw, ...(rawFile && { cut: true }) }
  throw new Error('The line is empty.')
}
