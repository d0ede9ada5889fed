import { expect, it } from 'vitest'
import { requestOf } from './messages.ts'

it('[W8] a request has what it wrote to a cache for an hour, because that has another price', () => {
  const usage = {
    input_tokens: 1,
    output_tokens: 2,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 40,
  }
  const tokens = { input: 1, output: 2, cacheRead: 3, cacheWrite: 40 }
  expect(requestOf('m', usage)).toEqual({ id: 'm', tokens })
  const writes = { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 10 }
  expect(requestOf('m', { ...usage, cache_creation: writes })).toEqual({ id: 'm', tokens, hourWrites: 10 })
})
