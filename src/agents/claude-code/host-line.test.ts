import { describe, expect, it } from 'vitest'
import type { PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { promptLine, uuidOf } from './host-line.ts'

const contentOf = (...parts: readonly PromptPart[]) =>
  (JSON.parse(promptLine('p' as PromptId, parts)) as { message: { content: unknown[] } }).message.content
const file = (url: string, mediaType: string, filename?: string): PromptPart => ({
  type: 'file',
  url,
  mediaType,
  ...(filename === undefined ? {} : { filename }),
})

describe('a prompt for Claude Code', () => {
  it('[A4] has the prompt’s own id if that is a uuid, and otherwise always the same one for the same id', () => {
    const uuid = '6d555d5f-ed12-44c6-afde-8dad55e5bdc8'
    expect(uuidOf(uuid as PromptId)).toBe(uuid)
    const made = uuidOf('prompt 1' as PromptId)
    expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(uuidOf('prompt 1' as PromptId)).toBe(made)
    expect(uuidOf('prompt 2' as PromptId)).not.toBe(made)
  })

  it('[A4] accepts images, PDF, text and files of the folder', () => {
    expect(
      contentOf(
        { type: 'text', text: 'Look:' },
        file('data:image/png;base64,aGk=', 'image/png'),
        file('data:image/png,%68i', 'image/png'),
        file('https://example.com/x.png', 'image/png'),
        file('data:application/pdf;base64,aGk=', 'application/pdf', 'x.pdf'),
        file('data:text/markdown;base64,4oKs', 'text/markdown', 'x.md'),
        file('data:text/plain,%E2%82%AC', 'text/plain'),
        file('file:///work/a%20b.ts', 'text/plain'),
      ),
    ).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
        title: 'x.pdf',
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '€' }, title: 'x.md' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '€' } },
      { type: 'text', text: '@/work/a b.ts' },
    ])
  })

  it('[R2] refuses content that Claude Code cannot read, with a clear message', () => {
    expect(() => contentOf(file('data:audio/mp3;base64,aGk=', 'audio/mp3'))).toThrow(/but not audio\/mp3/)
    expect(() => contentOf(file('data:image/png,%zz', 'image/png'))).toThrow(/is not a valid data URL/)
  })
})
