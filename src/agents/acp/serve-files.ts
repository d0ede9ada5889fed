import { constants } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import type { Json } from '../../protocol/json.ts'
import { confinedPath, PathRefused } from '../kit/confined.ts'
import { RpcRefusal } from '../kit/rpc-message.ts'
import { numberOf, textOf, type JsonObject } from './messages.ts'

const invalidParams = -32602
const notFound = -32002
const largest = 32 * 1024 * 1024

/** Reads a text file for the agent, within its folder. */
export async function readTextFile(folder: string, params: JsonObject): Promise<Json> {
  const path = await confined(folder, textOf(params['path']))
  const { size } = await stat(path).catch(() => {
    throw new RpcRefusal(notFound, `Resource not found: ${path}`)
  })
  if (size > largest) throw new RpcRefusal(invalidParams, `${path} is too large to be read as a text.`)
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  const text = await file.readFile('utf8')
  return { content: someLines(text, numberOf(params['line']), numberOf(params['limit'])) }
}

/** Lines are counted from 1. */
function someLines(text: string, line: number | undefined, limit: number | undefined): string {
  if (line === undefined && limit === undefined) return text
  const lines = text.split('\n')
  const from = Math.max(0, (line ?? 1) - 1)
  return lines.slice(from, limit === undefined ? undefined : from + limit).join('\n')
}

/** Writes a text file for the agent, within its folder. */
export async function writeTextFile(folder: string, params: JsonObject): Promise<Json> {
  const path = await confined(folder, textOf(params['path']))
  const content = textOf(params['content'])
  if (content === undefined) throw new RpcRefusal(invalidParams, 'The content to write is missing.')
  await mkdir(dirname(path), { recursive: true })
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  await using file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644)
  await file.writeFile(content)
  return {}
}

/** The true path of a file that may not exist yet; it must be absolute, and lie in the folder. */
export async function confined(folder: string, path: string | undefined): Promise<string> {
  if (path === undefined || !isAbsolute(path) || path.includes('\0'))
    throw new RpcRefusal(invalidParams, 'A path must be absolute.')
  try {
    return await confinedPath(folder, path)
  } catch (error) {
    if (error instanceof PathRefused) throw new RpcRefusal(invalidParams, error.message)
    throw error
  }
}
