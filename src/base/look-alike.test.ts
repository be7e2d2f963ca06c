import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookAlikesIn, markLookAlikes, toSkeleton } from './look-alike.ts';

test.each([
  ['a Cyrillic letter in a Latin word', 'const pаypal = 1;', 'const p<U+0430>ypal = 1;'],
  ['a word of Cyrillic letters only', 'if (сео) exit();', 'if (<U+0441><U+0435><U+043E>) exit();'],
  ['one Cyrillic letter as a name', 'let а = 2;', 'let <U+0430> = 2;'],
  ['a Greek capital', 'class ΑccessToken', 'class <U+0391>ccessToken'],
  ['a small Greek letter in a Latin word', 'serνer.start()', 'ser<U+03BD>er.start()'],
  ['an Armenian letter', 'passwօrd', 'passw<U+0585>rd'],
  ['Cherokee', 'ᎪPI_KEY', '<U+13AA>PI_KEY'],
  ['a click that looks like an exclamation mark', "if (environmentǃ= 'prod')", "if (environment<U+01C3>= 'prod')"],
  ['a Greek question mark', 'return\u037e', 'return<U+037E>'],
  ['a full-width letter', 'eｖal(x)', 'e<U+FF56>al(x)'],
  ['mathematical letters, which Python reads as plain ones', '𝐞𝐱ec(x)', '<U+1D41E><U+1D431>ec(x)'],
  ['the letter g of the phonetic alphabet', 'loɡin', 'lo<U+0261>in'],
  // None of these was in a list of llmc: the table of Unicode has them.
  ['a Cyrillic letter that looks like an r', 'useг.name', 'use<U+0433>.name'],
  ['a Cyrillic digit three', 'baseЗ2', 'base<U+0417>2'],
  ['a Greek sigma as an o', 'passwσrd', 'passw<U+03C3>rd'],
  ['a Hebrew letter that looks like an l', 'nuוl', 'nu<U+05D5>l'],
  ['an Arabic letter that looks like an o', 'fھo = 1', 'f<U+06BE>o = 1'],
  ['a letter of Osage', 'tok𐓂n', 'tok<U+104C2>n'],
  ['small capitals of phonetics', 'tᴏken', 't<U+1D0F>ken'],
  ['a slash of formulas in an address', 'example.org∕login', 'example.org<U+2215>login'],
  ['a full-width equals sign in code', 'if (a ＝ 1)', 'if (a <U+FF1D> 1)'],
])('%s is marked', (_, line, marked) => {
  expect(markLookAlikes(line)).toBe(marked);
  expect(lookAlikesIn(line).length).toBe(1);
});

test.each([
  ['Russian', '// Это а не о: с ним и у него'],
  ['Russian with Latin words', '// Запусти git-репозиторий, API-ключ и json-а'],
  ['a Russian ending after a Latin word', 'PDFка'],
  ['a Latin letter in a Russian word', 'Cкорость'],
  ['Ukrainian and Serbian', 'це є річ; ово је ћирилица'],
  ['Greek', '// Αυτό είναι ο κώδικας\u037e'],
  ['formulas', 'Δx = ν_max + dρ/dt + μs + λ*π + α1 + xⁿ + ℝ'],
  ['Armenian', 'Սա հայերեն է'],
  ['accents, umlauts and Turkish', 'naïve Größe, çalışıyor, nº 5'],
  ['Japanese with full-width letters', 'ＡＢＣ株式会社のテスト'],
  ['Chinese', '变量 = 1'],
  ['emoji', 'done 👨‍👩‍👧 ✅'],
  ['the name of a language', 'ǃKung'],
  ['Turkish without another accent', 'sıfırla(kapı)'],
  ['German with typographic signs', '// „Größe“ – 3 × 4 … 1⁄2 Liter, 5 ′ 3 ″, Straße/Weg'],
  ['Chinese with full-width punctuation', '函数（foo），返回：bar；'],
  ['Korean', 'API를 호출ㅣ합니다'],
  ['Hebrew and Arabic with Latin words', 'קובץ README ו API וגם ملف JSON و XML'],
  ['Thai and Hindi', 'ไฟล์ config ที่ ० क file'],
  ['Hawaiian and Ukrainian apostrophes', 'Hawaiʻi, обʼєкт'],
])('%s is not marked', (_, line) => {
  expect(markLookAlikes(line)).toBe(line);
  expect(lookAlikesIn(line)).toEqual([]);
});

test('ASCII stays as it is, and any text can be marked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'binary' }), (ascii, any) => {
      expect(markLookAlikes(ascii)).toBe(ascii);
      const restored = markLookAlikes(any).replace(/<U\+([0-9A-F]{4,6})>/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      );
      expect(restored).toBe(any);
    }),
  );
});

test('names that look the same have one skeleton', () => {
  for (const [one, other] of [
    ['paypal.ts', 'pаyраl.ts'],
    ['index.ts', 'ind\u200bex.ts'],
    ['file1.ts', 'fileI.ts'],
    ['modern.ts', 'modem.ts'],
    ['scope', 'ѕсоре'],
    ['Å.md', 'A\u030a.md'],
  ] as const)
    expect(toSkeleton(one), other).toBe(toSkeleton(other));
  expect(toSkeleton('a.ts')).not.toBe(toSkeleton('b.ts'));
});
