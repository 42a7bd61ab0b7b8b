/** Words that mean something in a language. */
const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

export const script = set(
  "abstract any as async await boolean break case catch class const constructor continue debugger declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let module namespace never new number object of override package private protected public readonly require return satisfies set static string super switch symbol throw try type typeof undefined unique unknown using var void while with yield",
);
export const python = set(
  "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
);
export const shell = set(
  "alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in local read readonly return set shift source then trap unset until while",
);
export const go = set(
  "any bool break byte case chan const continue default defer else error fallthrough float32 float64 for func go goto if import int int32 int64 interface map package range return rune select string struct switch type uint uint32 uint64 var",
);
export const rust = set(
  "as async await bool box break char const continue crate dyn else enum extern f32 f64 fn for i32 i64 i8 if impl in let loop match mod move mut pub ref return self Self static str struct super trait type u32 u64 u8 union unsafe use usize where while",
);
export const c = set(
  "abstract auto bool boolean break byte case catch char class const constexpr continue default delete do double else enum explicit extends extern final finally float for friend goto if implements import include inline instanceof int interface long namespace new operator override package private protected public register return short signed sizeof static struct super switch template this throw throws try typedef typename union unsigned using var virtual void volatile while",
);
export const sql = set(
  "add all alter and as asc begin between by case check column commit constraint create cross database default delete desc distinct drop else end exists foreign from full group having if in index inner insert integer into is join key left like limit not offset on or order outer primary references returning right rollback select set table text then transaction union unique update using values varchar view when where with",
);
/** What has a value of its own, in one language or another. */
export const constants = set("true false null undefined None True False nil NaN Infinity this iota Some Ok Err NULL");
