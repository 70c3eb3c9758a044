import { mutating, type Ruling, readOnly, stricter, unknown } from '../posix/context.js';

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Reserved words that begin a statement which changes something. In Transact-SQL no semicolon is needed before one. */
const CHANGES = words(
  `ALTER BACKUP BULK CHECKPOINT CREATE DELETE DENY DISABLE DROP DUMP ENABLE GRANT INSERT INTO KILL LOAD MERGE RECONFIGURE RESTORE REVERT
   REVOKE SHUTDOWN TRUNCATE UPDATE UPDATETEXT WRITETEXT RECEIVE SEND NEXT UPDLOCK XLOCK TABLOCKX TABLOCK HOLDLOCK SERIALIZABLE`,
);
/** Words that run code, change the session or steer; what follows them is not followed. */
const REFUSED = words(
  `ADD BEGIN BREAK CALL CLOSE COMMIT CONTINUE DBCC DEALLOCATE DECLARE EXEC EXECUTE FETCH GET GO GOTO IF MOVE OPEN PRINT RAISERROR
   READTEXT RETURN ROLLBACK SAVE SET SETUSER THROW TRAN TRANSACTION TRIGGER USE WAITFOR WHILE OPENQUERY OPENROWSET OPENDATASOURCE`,
);
/** Words before a parenthesis that are no function. */
const CALLABLE = words(
  `ALL AND ANY APPLY AS BETWEEN BY CASE DISTINCT ELSE EXCEPT EXISTS FROM GROUP HAVING IN INTERSECT IS JOIN LIKE NOT ON OR OVER PARTITION
   PATH PIVOT SELECT SOME THEN TOP UNION UNPIVOT VALUES WHEN WHERE WITH WITHIN CHAR VARCHAR NCHAR NVARCHAR DECIMAL NUMERIC FLOAT BINARY
   VARBINARY DATETIME2 TIME`,
);
const FUNCTIONS = words(
  `ABS ASCII AVG CAST CEILING CHARINDEX CHECKSUM CHOOSE COALESCE COL_NAME COLUMNPROPERTY CONCAT CONCAT_WS CONNECTIONPROPERTY CONVERT COUNT
   COUNT_BIG CURRENT_TIMESTAMP DATABASEPROPERTYEX DATALENGTH DATEADD DATEDIFF DATEDIFF_BIG DATEFROMPARTS DATENAME DATEPART DAY DB_ID DB_NAME
   DENSE_RANK FILEPROPERTY FILE_NAME FILEGROUP_NAME FIRST_VALUE FLOOR FORMAT GETDATE GETUTCDATE HAS_DBACCESS HAS_PERMS_BY_NAME HASHBYTES
   HOST_NAME IIF INDEXPROPERTY IS_MEMBER IS_SRVROLEMEMBER ISDATE ISNULL ISNUMERIC LAG LAST_VALUE LEAD LEFT LEN LOWER LTRIM MAX MIN MONTH
   NTILE NULLIF OBJECT_DEFINITION OBJECT_ID OBJECT_NAME OBJECT_SCHEMA_NAME OBJECTPROPERTY PARSENAME PATINDEX POWER QUOTENAME RANK REPLACE
   REPLICATE REVERSE RIGHT ROUND ROW_NUMBER RTRIM SCHEMA_NAME SERVERPROPERTY SIGN SQRT STATS_DATE STDEV STR STRING_AGG STUFF SUBSTRING SUM
   SUSER_NAME SUSER_SNAME SWITCHOFFSET SYSDATETIME SYSDATETIMEOFFSET SYSUTCDATETIME TRIM TRY_CAST TRY_CONVERT TYPE_NAME UPPER USER_NAME
   XACT_STATE YEAR`,
);
/** Methods of an XML value that read. */
const XML_METHODS = words('VALUE QUERY NODES EXIST');
/** System procedures that show, with at most one quoted argument. */
const SHOWS = words(
  `SP_WHO SP_WHO2 SP_HELPDB SP_HELP SP_HELPTEXT SP_HELPFILE SP_HELPINDEX SP_HELPLOGINS SP_HELPUSER SP_HELPROLEMEMBER SP_HELPSRVROLEMEMBER
   SP_LOCK SP_DATABASES SP_TABLES SP_COLUMNS SP_SPACEUSED SP_CONFIGURE`,
);

const TOKEN =
  /\s+|'(?:[^']|'')*'|"[^"]*"|\[(?:[^\]]|\]\])*\]|[A-Za-z_@#][A-Za-z0-9_@#$]*|[0-9]+(?:\.[0-9]+)?|--|\/\*|[^\s\w]/y;
const UNREADABLE = new Set(['--', '/*', "'", '"', '[', '$', '`', '\\', '!!']);

/** Transact-SQL: only queries, with functions that are listed, and the system procedures that show. */
export function judgeTsql(text: string): Ruling {
  const statements = split(text);
  if (statements === undefined || statements.length === 0) return unknown('SQL that is not followed');
  return statements.map(judgeStatement).reduce((worst, ruling) => stricter(worst, ruling));
}

function split(text: string): string[][] | undefined {
  const list: string[][] = [[]];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0];
    // sqlcmd takes lines that begin with a colon or `!!` for itself, and replaces `$(…)`.
    if (token === undefined || UNREADABLE.has(token) || token === ':') return undefined;
    if (token === ';') list.push([]);
    else if (token.trim() !== '') list.at(-1)?.push(token);
  }
  return list.filter((tokens) => tokens.length > 0);
}

const PRELUDES = [
  /^SET NOCOUNT (?:ON|OFF)(?: |$)/,
  /^SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED(?: |$)/,
  /^USE [^ ]+(?: |$)/,
];

function judgeStatement(given: readonly string[]): Ruling {
  const upper = given.map((token) => token.toUpperCase());
  const joined = upper.slice(0, 8).join(' ');
  const prelude = PRELUDES.map((pattern) => pattern.exec(joined)?.[0]).find((match) => match !== undefined);
  if (prelude !== undefined) {
    const rest = given.slice(prelude.trim().split(' ').length);
    return rest.length === 0 ? readOnly('a setting of the session') : judgeStatement(rest);
  }
  const first = upper.find((token) => token !== '(') ?? '';
  if (CHANGES.has(first)) return mutating(`${first} changes something`);
  if (first === 'EXEC' || first === 'EXECUTE') return judgeProcedure(upper.slice(1));
  if (first !== 'SELECT' && first !== 'WITH') return unknown(`the statement ${first} is not listed as reading`);
  return (
    upper.map((word, at) => judgeToken(upper, at, word)).find((ruling) => ruling !== undefined) ??
    readOnly(`${first} reads`)
  );
}

function judgeProcedure(rest: readonly string[]): Ruling {
  const [name = '', argument, ...more] = rest;
  const fits = SHOWS.has(name) && more.length === 0 && (argument === undefined || /^['[A-Z]/.test(argument));
  return fits && !(argument !== undefined && (CHANGES.has(argument) || REFUSED.has(argument)))
    ? readOnly(`${name} shows`)
    : unknown(`the procedure ${name} is not listed as reading`);
}

function judgeToken(tokens: readonly string[], at: number, word: string): Ruling | undefined {
  if (CHANGES.has(word)) return mutating(`${word} in a query changes something`);
  if (REFUSED.has(word)) return unknown(`${word} in a query is not followed`);
  if (word === '!' && tokens[at + 1] === '!') return unknown('a command of sqlcmd');
  if (tokens[at + 1] !== '(' || !/^[A-Z_@#"[]/.test(word)) return undefined;
  if (tokens[at - 1] === '.') return judgeMember(tokens[at - 2], word);
  if (FUNCTIONS.has(word) || CALLABLE.has(word) || isCommonTable(tokens, at)) return undefined;
  return unknown(`the function ${word} is not listed as reading`);
}

function judgeMember(owner: string | undefined, word: string): Ruling | undefined {
  if (owner === 'SYS' && word.startsWith('DM_')) return undefined;
  if (XML_METHODS.has(word)) return undefined;
  return unknown(`the function ${word} of a schema is not listed as reading`);
}

/** `WITH name (column, …) AS (`. */
function isCommonTable(tokens: readonly string[], at: number): boolean {
  return at === 1 && tokens[0] === 'WITH';
}
