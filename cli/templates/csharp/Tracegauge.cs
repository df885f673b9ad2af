// The tracegauge reader protocol. With this file, an adapter is a single function. It requires no
// packages.
//
// If the last argument is a path, the program reads that file (mode once). Without arguments, it
// answers requests on standard input (mode serve). Any exception except a Rejection counts as a
// crash: it ends the process, so that the harness detects it.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Numerics;
using System.Text;
using System.Text.Json;

namespace Tracegauge;

/// <summary>Thrown if the reader rejects a trace.</summary>
public sealed class Rejection : Exception
{
    internal int Status { get; private init; } = 65;
    internal (string, object?)[] Closing { get; private init; }

    /// <param name="why">The reason in the reader's own words.</param>
    /// <param name="kind">malformed, incomplete or unsupported, if the reader reports it.</param>
    /// <param name="offset">The offset of the fault, if the reader reports it.</param>
    public Rejection(string why, string? kind = null, long? offset = null) : base(why)
    {
        Closing = new (string, object?)[]
        {
            ("end", "reject"), ("why", new Words(why)), ("class", kind), ("offset", offset),
        };
    }

    /// <summary>Creates a rejection because the reader does not support a feature.</summary>
    public static Rejection Unsupported(string feature) => new(feature)
    {
        Status = 69,
        Closing = new (string, object?)[] { ("end", "unsupported"), ("feature", new Words(feature)) },
    };
}

/// <summary>Writes the records of one case in the order in which the reader reports them.</summary>
public sealed class Reporter
{
    private readonly Stream output;

    /// <summary>The tracegauge name of the case's format.</summary>
    public string Format { get; }

    internal Reporter(string format, Stream output) => (Format, this.output) = (format, output);

    /// <summary>
    /// Reports one record. Values are bool, integers, float, double, string, byte[] and other lists
    /// of bytes, Structure, Json, JsonElement, dictionaries (JSON objects), any other list, and
    /// null. Maps of the format and fields that the file defines must be lists of lists of a name
    /// and a value. Text that is not well-formed must be passed as byte[].
    /// </summary>
    public void Record(string kind, params (string Name, object? Value)[] members)
    {
        var all = new (string, object?)[members.Length + 1];
        all[0] = ("record", new Words(kind));
        members.CopyTo(all, 1);
        Line(all);
    }

    internal void Line((string, object?)[] members)
    {
        var text = new StringBuilder();
        Canonical.Write(new Structure(members), text);
        text.Append('\n');
        output.Write(Encoding.UTF8.GetBytes(text.ToString()));
    }

    internal void Close((string, object?)[] members)
    {
        Line(members);
        output.Flush();
    }
}

/// <summary>A value with named members.</summary>
public sealed class Structure
{
    internal (string, object?)[] Members { get; }

    /// <param name="members">The members, in order.</param>
    public Structure(params (string Name, object? Value)[] members) => Members = members;
}

/// <summary>JSON embedded in the trace, as the raw text of one value.</summary>
public sealed record Json(string Text);

/// <summary>Text in a place where bytes are not allowed. Invalid parts are replaced.</summary>
internal sealed record Words(string Text);

/// <summary>A piece of JSON text between values.</summary>
internal sealed record Written(string Text);

/// <summary>Renders values as JSON in the protocol's canonical form.</summary>
internal static class Canonical
{
    // Deeply nested values must not cause deep recursion, so the parts still to be written are on
    // a stack.
    internal static void Write(object? value, StringBuilder text)
    {
        var waiting = new Stack<object?>();
        waiting.Push(value);
        while (waiting.Count > 0)
        {
            switch (waiting.Pop())
            {
                case Written written: text.Append(written.Text); break;
                case Structure structure: Members(structure.Members, waiting); break;
                case IDictionary members: Members(Named(members), waiting); break;
                case byte[] bytes: Hex(bytes, text); break;
                case Memory<byte> bytes: Hex(bytes.ToArray(), text); break;
                case ReadOnlyMemory<byte> bytes: Hex(bytes.ToArray(), text); break;
                case IEnumerable<byte> bytes: Hex(new List<byte>(bytes).ToArray(), text); break;
                case string words: Text(words, text); break;
                case IEnumerable items: Items(items, waiting); break;
                case var plain: Plain(plain, text); break;
            }
        }
    }

    private static void Members((string, object?)[] members, Stack<object?> waiting)
    {
        waiting.Push(new Written("}"));
        for (var at = members.Length - 1; at >= 0; at--)
        {
            var (name, value) = members[at];
            waiting.Push(value);
            waiting.Push(new Written(":"));
            waiting.Push(new Words(name));
            waiting.Push(new Written(at > 0 ? "," : "{"));
        }
        if (members.Length == 0) waiting.Push(new Written("{"));
    }

    private static (string, object?)[] Named(IDictionary members)
    {
        var named = new List<(string, object?)>();
        foreach (DictionaryEntry member in members) named.Add(($"{member.Key}", member.Value));
        return named.ToArray();
    }

    private static void Items(IEnumerable items, Stack<object?> waiting)
    {
        var all = new List<object?>();
        foreach (var item in items) all.Add(item);
        waiting.Push(new Written("]"));
        for (var at = all.Count - 1; at >= 0; at--)
        {
            waiting.Push(all[at]);
            if (at > 0) waiting.Push(new Written(","));
        }
        waiting.Push(new Written("["));
    }

    // Renders a value that contains no other values.
    private static void Plain(object? value, StringBuilder text)
    {
        switch (value)
        {
            case null: text.Append("null"); break;
            case bool truth: text.Append(truth ? "true" : "false"); break;
            case Words words: Quoted(words.Text, text); break;
            // Line ends can occur only between tokens, so they can be replaced by spaces.
            case Json json: text.Append(json.Text.Replace('\n', ' ').Replace('\r', ' ')); break;
            case JsonElement json: text.Append(JsonSerializer.Serialize(json)); break;
            case float number: Real(number, number.ToString("R", CultureInfo.InvariantCulture), text); break;
            case double number: Real(number, number.ToString("R", CultureInfo.InvariantCulture), text); break;
            case Guid guid: text.Append('"').Append(guid.ToString("D")).Append('"'); break;
            case char letter: Text(letter.ToString(), text); break;
            case Enum name: Text(name.ToString(), text); break;
            case sbyte or byte or short or ushort or int or uint or long or ulong or BigInteger:
                text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
                break;
            default: throw new ArgumentException($"no JSON form for {value.GetType()}");
        }
    }

    private static void Real(double number, string digits, StringBuilder text) =>
        text.Append(
            double.IsNaN(number) ? "\"NaN\""
            : double.IsPositiveInfinity(number) ? "\"Infinity\""
            : double.IsNegativeInfinity(number) ? "\"-Infinity\""
            : digits);

    private static void Hex(byte[] bytes, StringBuilder text) =>
        text.Append("{\"hex\":\"").Append(Convert.ToHexString(bytes).ToLowerInvariant()).Append("\"}");

    // A string with lone surrogates is not valid text, so it is written as the bytes that UTF-8
    // would use for it.
    private static void Text(string words, StringBuilder text)
    {
        var bytes = new List<byte>();
        var isText = true;
        for (var at = 0; at < words.Length; at++)
        {
            var unit = words[at];
            if (at + 1 < words.Length && char.IsSurrogatePair(unit, words[at + 1]))
            {
                bytes.AddRange(Encoding.UTF8.GetBytes(words.Substring(at, 2)));
                at++;
            }
            else if (char.IsSurrogate(unit))
            {
                isText = false;
                bytes.Add((byte)(0xe0 | unit >> 12));
                bytes.Add((byte)(0x80 | unit >> 6 & 63));
                bytes.Add((byte)(0x80 | unit & 63));
            }
            else
            {
                bytes.AddRange(Encoding.UTF8.GetBytes(unit.ToString()));
            }
        }
        if (isText) Quoted(words, text);
        else Hex(bytes.ToArray(), text);
    }

    // The serializer replaces invalid parts.
    private static void Quoted(string words, StringBuilder text) =>
        text.Append(JsonSerializer.Serialize(words));
}

/// <summary>The two modes of the protocol, implemented around one reading function.</summary>
public static class Protocol
{
    /// <summary>Runs the adapter and returns its exit status.</summary>
    public static int Run(string name, string version, Action<byte[], Reporter> read)
    {
        var arguments = Environment.GetCommandLineArgs();
        if (arguments.Length > 1 && arguments[^1] is "--help" or "-h")
        {
            Console.WriteLine($"usage: {name} [TRACE]; without TRACE, answers requests on standard input");
            return 0;
        }
        using var output = new BufferedStream(Console.OpenStandardOutput(), 1 << 16);
        if (arguments.Length > 1)
        {
            var format = Environment.GetEnvironmentVariable("TRACEGAUGE_FORMAT") ?? "";
            return Case(arguments[^1], new Reporter(format, output), read);
        }
        using var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        while (input.ReadLine() is { } line)
        {
            if (line.Trim().Length > 0) Answer(line, name, version, output, read);
        }
        return 0;
    }

    private static void Answer(
        string line, string name, string version, Stream output, Action<byte[], Reporter> read)
    {
        using var document = JsonDocument.Parse(line);
        var request = document.RootElement;
        if (request.TryGetProperty("tracegauge", out var major))
        {
            if (major.GetInt32() != 1) throw new InvalidDataException($"unsupported protocol version: {line}");
            new Reporter("", output).Close(new (string, object?)[]
            {
                ("tracegauge", 1), ("name", name), ("version", version), ("reports", "records"),
            });
            return;
        }
        var format = request.TryGetProperty("format", out var named) ? named.GetString() : null;
        var path = request.GetProperty("file").GetString();
        Case(path ?? "", new Reporter(format ?? "", output), read);
    }

    /// <summary>Reads one case and returns the exit status for mode `once`.</summary>
    private static int Case(string path, Reporter reporter, Action<byte[], Reporter> read)
    {
        var data = File.ReadAllBytes(path);
        try
        {
            read(data, reporter);
        }
        catch (Rejection rejection)
        {
            reporter.Close(rejection.Closing);
            return rejection.Status;
        }
        reporter.Close(new (string, object?)[] { ("end", "accept") });
        return 0;
    }
}
