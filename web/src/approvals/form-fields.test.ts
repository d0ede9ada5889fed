import { describe, expect, it } from 'vitest'
import { filledIn, formIn } from './form-fields.ts'

const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name' },
    age: { type: 'integer' },
    sure: { type: 'boolean' },
    size: { type: 'string', enum: ['S', 'M'] },
  },
  required: ['name'],
}

describe('a form', () => {
  it('[T6] is built from its schema', () => {
    expect(formIn({ requestedSchema })?.map(({ kind, label, required }) => [kind, label, required])).toEqual([
      ['text', 'Your name', true],
      ['number', 'age', false],
      ['flag', 'sure', false],
      ['choice', 'size', false],
    ])
    expect(formIn({ requestedSchema: { properties: { list: { type: 'array' } } } })).toBeNull()
    expect(formIn({})).toBeNull()
  })

  it('[T6] returns the values, and nothing while a required field is empty', () => {
    const fields = formIn({ requestedSchema }) ?? []
    expect(filledIn(fields, { age: '3' })).toBeNull()
    expect(filledIn(fields, { name: 'Ada', age: '36', size: 'M' })).toEqual({
      name: 'Ada',
      age: 36,
      sure: false,
      size: 'M',
    })
    expect(filledIn(fields, { name: 'Ada', age: 'old', sure: 'yes' })).toEqual({ name: 'Ada', sure: true })
  })
})
