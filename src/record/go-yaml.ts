import type { ScalarTag } from 'yaml';

/** The words that YAML 1.1 takes for yes and no; nobody else does. */
const yes = /^(y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const yesOrNo = /^(y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;

const isNull = /^(~|null|Null|NULL)$/;

/** Begins as a number does; whether it is one is seen when it is read. */
const maybeNumber = /^[-+.0-9][-+.0-9A-Za-z_]*$/;
const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const whole = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;

/**
 * How programs in Go that work with Kubernetes read plain words: `on` is true, `0444` is octal, `1e3` is a number, `1:30` and dates are text.
 * Manifests that were written for them mean it so. Unlike there, a word that is a key stays as it is written.
 */
export const goYamlTags: ScalarTag[] = [
  {
    tag: 'tag:yaml.org,2002:null',
    default: true,
    test: /^(~|null|Null|NULL)?$/,
    resolve: () => null,
  },
  {
    tag: 'tag:yaml.org,2002:bool',
    default: true,
    test: yesOrNo,
    resolve: text => yes.test(text),
  },
  {
    tag: 'tag:yaml.org,2002:int',
    default: true,
    test: maybeNumber,
    resolve: text => goNumber(text) ?? text,
  },
  {
    tag: 'tag:yaml.org,2002:float',
    resolve: text => goNumber(text) ?? text,
  },
];

/** What a plain word, which must not be empty, stands for. */
export function goScalar(text: string): null | boolean | number | string {
  // Most words are none of these, and the first character tells.
  if (maybeNumber.test(text)) return goNumber(text) ?? text;
  if (!/^[yYnNtTfFoO~]/.test(text)) return text;
  if (yesOrNo.test(text)) return yes.test(text);
  return isNull.test(text) ? null : text;
}

/** The number that a text stands for; nothing where it is only text. */
function goNumber(text: string): number | undefined {
  const plain = text.replaceAll('_', '');
  const [, sign, digits] = whole.exec(plain) ?? [];
  if (digits !== undefined) {
    const isOldOctal = /^0[0-7]/.test(digits);
    const value = Number(isOldOctal ? `0o${digits}` : digits.toLowerCase());
    // Past 64 bits it is no whole number there any more, and its zeros no longer mean octal.
    if (!isOldOctal || value < 2 ** 64) return sign === '-' && value !== 0 ? -value : value;
  }
  const value = float.test(plain) ? Number(plain) : undefined;
  return value !== undefined && Number.isFinite(value) ? value + 0 : undefined;
}
