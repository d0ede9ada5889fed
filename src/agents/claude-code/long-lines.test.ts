import { describe, expect, it } from 'vitest'
import { isCut, tooLongToApprove } from '../../protocol/cut-text.ts'
import { readLong } from '../kit/long-line.fixture.ts'
import { decisionOf, readPermissionRequest } from './answer.ts'
import {
  begin,
  block,
  inThread,
  line,
  noticesIn,
  only,
  ours,
  result,
  stop,
  textIn,
  whole,
} from './lines.fixture.ts'

const megabytes = (count: number) => 'x'.repeat(count * 1_000_000)
const prompt = ours({ type: 'user', uuid: 'u', message: { role: 'user', content: 'go' } })

describe('a long line of Claude Code', () => {
  it.each([5, 20])('[A18] that is a result of %i MB ends the answer', async size => {
    const end = await readLong(result({ uuid: 'r', result: megabytes(size) }).text)
    expect(end.cut).toBe(true)
    const chunks = inThread([prompt, begin('m'), whole('m', [{ type: 'text', text: 'hi' }]), end])
    expect(only(chunks, 'finish')).toMatchObject([{ finishReason: 'stop' }])
    expect(textIn(chunks)).toBe('hi')
  })

  it('[A18] with a streamed text repeats and retracts nothing', async () => {
    const text = megabytes(5)
    const streamed = [
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: text.slice(0, 3_000_000) }),
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: text.slice(3_000_000) }).slice(1),
    ]
    const repeated = await readLong(whole('m', [{ type: 'text', text }]).text)
    const chunks = inThread([prompt, begin('m'), ...streamed, repeated, stop(0), result({ uuid: 'r' })])
    expect(textIn(chunks) === text).toBe(true)
    expect(chunks.some(({ type }) => type === 'data-retracted')).toBe(false)
  })

  it('[A18] with a text that was not streamed shows its beginning, its end and a notice', async () => {
    const text = `begin ${megabytes(5)} end`
    const chunks = inThread([prompt, await readLong(whole('m', [{ type: 'text', text }]).text), result()])
    expect(textIn(chunks)).toMatch(/^begin x+\n\[… .* MB cut here by Dragoman\. .*…\]\nx+ end$/)
    expect(noticesIn(chunks)).toEqual([])
  })

  const request = {
    type: 'control_request',
    request_id: 'q',
    request: {
      subtype: 'can_use_tool',
      tool_name: 'Write',
      tool_use_id: 'c',
      input: { file_path: '/f', content: megabytes(5) },
    },
  }

  it('[A18] with a permission request asks, with an input that is marked as cut', async () => {
    const input = { file_path: '/f', content: 'short' }
    const call = whole('m', [{ type: 'tool_use', id: 'c', name: 'Write', input }])
    const chunks = inThread([prompt, begin('m'), call, await readLong(line(request).text)])
    expect(only(chunks, 'tool-approval-request')).toMatchObject([{ approvalId: 'q', toolCallId: 'c' }])
    expect(isCut(only(chunks, 'tool-input-available').at(-1)?.input)).toBe(true)
  })

  it('[S10] never runs with a truncated input, even when it is approved', async () => {
    const asked = readPermissionRequest(JSON.parse((await readLong(line(request).text)).text) as never)
    const answer = { approved: true, reason: null, always: false }
    expect(asked && decisionOf(asked, answer)).toEqual({
      behavior: 'deny',
      message: tooLongToApprove,
      toolUseID: 'c',
    })
  })
})
