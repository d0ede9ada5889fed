import { isAbsolute } from 'node:path'
import type { Json } from '../../protocol/json.ts'
import { confinedPath, openFileWithin } from '../kit/confined.ts'
import { PathRefused, type Reach } from '../kit/data-folder.ts'
import { RpcRefusal } from '../kit/json-rpc.ts'
import { writeFileWithin } from '../kit/write-within.ts'
import { numberOf, textOf, type JsonObject } from './messages.ts'

const invalidParams = -32602
const notFound = -32002
const largest = 32 * 1024 * 1024

/** Reads a text file for the agent, within its folder. */
export async function readTextFile(reach: Reach, params: JsonObject): Promise<Json> {
  const path = absolute(textOf(params['path']))
  const text = await refusing(path, () => readWithin(reach, path))
  return { content: someLines(text, numberOf(params['line']), numberOf(params['limit'])) }
}

async function readWithin(reach: Reach, path: string): Promise<string> {
  await using file = await openFileWithin(reach, path)
  const { size } = await file.stat()
  if (size > largest) throw new PathRefused(`${path} is too large to read as text.`)
  return await file.readFile('utf8')
}

/** Lines are counted from 1. */
function someLines(text: string, line: number | undefined, limit: number | undefined): string {
  if (line === undefined && limit === undefined) return text
  const lines = text.split('\n')
  const from = Math.max(0, (line ?? 1) - 1)
  return lines.slice(from, limit === undefined ? undefined : from + limit).join('\n')
}

/** Writes a text file for the agent, within its folder. */
export async function writeTextFile(reach: Reach, params: JsonObject): Promise<Json> {
  const path = absolute(textOf(params['path']))
  const content = textOf(params['content'])
  if (content === undefined) throw new RpcRefusal(invalidParams, 'The content to write is missing.')
  await refusing(path, () => writeFileWithin(reach, path, content))
  return {}
}

/** The real path of a file that may not exist yet; it must be absolute and inside the folder. */
export async function confined(reach: Reach, given: string | undefined): Promise<string> {
  const path = absolute(given)
  return refusing(path, () => confinedPath(reach, path))
}

function absolute(path: string | undefined): string {
  if (path !== undefined && isAbsolute(path) && !path.includes('\0')) return path
  throw new RpcRefusal(invalidParams, 'A path must be absolute.')
}

/** Reports the error with the path that the agent gave, not with the resolved one. */
async function refusing<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PathRefused) throw new RpcRefusal(invalidParams, error.message)
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new RpcRefusal(notFound, `Resource not found: ${path}`)
    if (code !== undefined) throw new RpcRefusal(invalidParams, `${path} cannot be used (${code}).`)
    throw error
  }
}
