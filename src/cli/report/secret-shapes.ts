/** Runs of characters that only a secret has, or a secret beside its name. Every run has a bound or a fixed beginning, so a huge text takes linear time. */
const NAMES =
  '(?:pass(?:word|wd|phrase)|secret|token(?!s)|api[_-]?key|access[_-]?key|private[_-]?key|credential|authorization|cookie|session[_-]?key|signature)';
/** Parts of many harmless words, so only before `=` or `:`, at the end of the name. */
const SHORT_NAMES = '(?:(?:^|[^a-z])pass|[_-]pwd|pwd(?!=[/~])|[_-]key)';

/** A group around the secret keeps what stands before it; without one, the whole match is the secret. */
export const SECRET_SHAPES: readonly RegExp[] = [
  // Anthropic, OpenAI and others.
  /sk-[A-Za-z0-9_-]{16,}/dg,
  /(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}/dg,
  // GitHub, GitLab, Slack, npm, PyPI, Hugging Face, DigitalOcean, SendGrid.
  /gh[pousr]_[A-Za-z0-9]{20,}/dg,
  /github_pat_[A-Za-z0-9_]{20,}/dg,
  /gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{16,}/dg,
  /xox[a-z]-[A-Za-z0-9-]{10,}/dg,
  /xapp-[A-Za-z0-9-]{10,}/dg,
  /hooks\.slack\.com\/services\/([A-Za-z0-9/]+)/dg,
  /npm_[A-Za-z0-9]{30,}/dg,
  /pypi-[A-Za-z0-9_-]{30,}/dg,
  /hf_[A-Za-z0-9]{20,}/dg,
  /do[oprt]_v1_[a-f0-9]{20,}/dg,
  /SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/dg,
  // AWS, Google, age.
  /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/dg,
  /AIza[A-Za-z0-9_-]{30,}/dg,
  /ya29\.[A-Za-z0-9_.-]{20,}/dg,
  /GOCSPX-[A-Za-z0-9_-]{20,}/dg,
  /AGE-SECRET-KEY-1[A-Z0-9]{20,}/dg,
  // JSON Web Tokens. One run: two runs with a dot between them would take quadratic time.
  /eyJ[A-Za-z0-9_.-]{16,}/dg,
  // A key without its end was cut: everything after its beginning may be part of it.
  /-----BEGIN[A-Z0-9 ]{0,40}PRIVATE ?KEY[\s\S]*?(?:-----END[A-Z0-9 ]{0,40}PRIVATE ?KEY(?: ?BLOCK)?-----|$)/dg,
  // https://user:password@host
  /[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/([^\s/@"'<>]{1,500})@/dg,
  /\b(?:bearer|basic|digest|negotiate)[\s"',:=]{1,8}([A-Za-z0-9+/_.~=-]{8,})/dgi,
  // Cookie: name=value; name=value
  /cookie["']?\s{0,8}[:=]\s{0,8}["']?([^\s"'=;]{1,100}=[^"'\r\n]{0,4000})/dgi,
  /authorization["']?\s{0,8}[:=]\s{0,8}["']?([^"'\r\n]{6,})/dgi,
  // password: two words. Bounded, because the lines of a screen are also searched as one line.
  /pass(?:word|phrase)["']?[ \t]{0,8}:[ \t]{0,8}["']?([^"'\r\n,;&}]{4,60})/dgi,
  // curl -u user:password
  /(?:^|\s)(?:-u|--user|--proxy-user)[\s=]{0,4}["']?[^\s:"']{1,100}:([^\s"']{4,})/dg,
  // netrc
  /\b(?:login|account)\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(\S{4,})/dgi,
  /^[ \t]{0,20}password[ \t]{1,8}(\S{4,})[ \t]*$/dgim,
  // password=…, "api_key": "…", --token …
  new RegExp(String.raw`${NAMES}[\w-]{0,40}\\?["']?\s{0,8}(?:=>|[:=])\s{0,8}\\?["']?([^\s"'\\,;&]{4,})`, 'dgi'),
  new RegExp(String.raw`${SHORT_NAMES}\\?["']?\s{0,8}(?:=>|[:=])\s{0,8}\\?["']?([^\s"'\\,;&]{4,})`, 'dgim'),
  new RegExp(String.raw`--?[\w-]{0,40}${NAMES}[\w-]{0,40}[\s"',]{1,20}([^\s"',]{4,})`, 'dgi'),
];

/** A name whose value is a secret, as a variable or as a key. */
export const SECRET_NAME =
  /pass(?:word|wd|phrase)?$|secret|token$|tokens?_|_token|apikey|(?:^|[_-])(?:key|pat|auth|pwd|dsn|cookie|credentials?)(?:$|[_-])|private|authorization|signature/i;

/** Long words that mix capitals, small letters and digits. Commit ids and file names rarely do. */
export const RANDOM_WORD = /[A-Za-z0-9+_=-]{32,}/dg;

export function looksRandom(word: string): boolean {
  return /[A-Z]/.test(word) && /[a-z]/.test(word) && (word.match(/\d/g)?.length ?? 0) >= 3 && !word.includes('--');
}

export const BASE64_RUN = /[A-Za-z0-9+/_-]{20,}={0,2}/dg;
