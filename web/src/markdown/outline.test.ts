import { describe, expect, it } from 'vitest'
import { createBlockCutter, lexBlock } from './blocks.ts'
import { headingLevel, outlineAfter } from './outline.ts'

/** The levels of the headings of a text. */
const levelsOf = (text: string) => {
  const { blocks, links } = createBlockCutter().cut(text)
  return blocks.flatMap(({ raw, outer }) => {
    let outline = outer
    return lexBlock(raw, links, false).flatMap(token => {
      outline = outlineAfter(outline, token)
      return token.type === 'heading' ? [headingLevel(outline)] : []
    })
  })
}

describe('the headings of a text', () => {
  it('[W2] start below those of the page, whatever level comes first', () => {
    expect(levelsOf('## one\n\ntext\n\n### two\n\n## three')).toEqual(['h3', 'h4', 'h3'])
    expect(levelsOf('#### one')).toEqual(['h3'])
  })

  it('[W2] skip no level', () => {
    expect(levelsOf('# one\n### two\n### three\n\n###### four\n\n# five')).toEqual([
      'h3',
      'h4',
      'h4',
      'h5',
      'h3',
    ])
  })

  it('[W2] stay at the deepest level', () => {
    expect(levelsOf('# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6').at(-1)).toBe('h6')
  })
})
