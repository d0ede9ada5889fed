import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { wildFaultsOf } from './arbitrary/checks.fixture.ts'
import { answersOf } from './arbitrary/recorded.fixture.ts'
import { formats } from './codecs.ts'
import type { Format } from './conversation.ts'
import { read } from './read.ts'
import { write } from './write.ts'

// Data of third parties: read where it is, never copied here.
const folder =
  process.env['DRAGOMAN_MODEL_STREAMS'] ??
  join(import.meta.dirname, '../../../../shared/recordings/model-apis')
const folders: readonly (readonly [string, Format])[] = [
  ['anthropic', 'anthropic-messages'],
  ['openai/chat', 'openai-chat'],
  ['openai/responses', 'openai-responses'],
  ['responses-compatible', 'openai-responses'],
  ['google', 'gemini'],
]

describe.skipIf(!existsSync(folder))('recorded answers of model APIs', () => {
  for (const [name, from] of folders)
    for (const file of existsSync(join(folder, name))
      ? readdirSync(join(folder, name)).filter(isRecording)
      : [])
      it(`[X6] ${name}/${file}: into every format, valid, every leaf accounted`, () => {
        const document: Json = answersOf(readFileSync(join(folder, name, file), 'utf8'), from)
        for (const to of formats) expect([to, ...wildFaultsOf(from, to, document)]).toEqual([to])
        const conversation = read(from, document)
        const before = JSON.stringify(conversation)
        write(conversation, 'ui-messages')
        expect(JSON.stringify(conversation)).toBe(before)
      })
})

const isRecording = (file: string) => /\.(json|chunks\.txt)$/.test(file) && !/error|429/.test(file)
