import type { Language } from "../language.ts";

export const tr: Language = {
  code: "tr",
  everyday: {
    frame: "{who} {when} {object} {verb}.",
    who: "Ayşe;Mehmet;Zeynep;Mustafa;Elif;Hüseyin;Merve;Kerem;Sevgi;Burak;Derya;Oğuz",
    when: "perşembe günü;hafta sonu;yarın;bu gece;gelecek hafta;öğlen;öğle yemeğinden sonra;akşamları;bu öğleden sonra;nisanda;kasımda;ayın birinde;saat yedide;saat dokuz buçukta",
    deeds: [
      "yazıyor;okuyor;kontrol ediyor;gönderiyor;imzalıyor|mektubu;sözleşmeyi;faturayı;raporu;sipariş formunu;davetli listesini;basın bildirisini",
      "satıyor;onarıyor;temizliyor;satın alıyor;fotoğraflıyor|bisikleti;eski kanepeyi;lambayı;ahşap tekneyi;duvar saatini;kitaplığı;mutfak masasını",
      "arıyor;ziyaret ediyor;ağırlıyor|mimarı;belediye başkanını;bahçıvanı;gazeteciyi;fotoğrafçıyı;terziyi;arıcıyı",
      "deniyor;iyileştiriyor;açıklıyor|alışveriş sepetini;grafiği;yazdırma şablonunu;ana sayfayı;resim galerisini;iletişim formunu",
    ],
  },
  facts: `
    1 Marta'nın yer fıstığına alerjisi var ve yanında hep adrenalin kalemi taşıyor. => Marta'nın neye alerjisi var? => Marta için yemek yaparken içine ne koymamalıyız?
    2 Kullanıcı, madde işareti olmayan kısa cevaplar istiyor. => Kullanıcı nasıl cevaplar istiyor? => Yanıtlar ne uzunlukta ve ne biçimde olmalı?
    3 Jonas kahvesini sade ve şekersiz içiyor. => Jonas kahvesini nasıl içiyor? => Jonas sıcak içeceklerine süt koyar mı?
    4 Kullanıcı, düzenleyicide büyük yazı tipli koyu temayı tercih ediyor. => Kullanıcı düzenleyicide hangi temayı tercih ediyor? => Geliştirme ortamı nasıl görünmeli?
    5 Kızımız dinozorları her şeyden çok seviyor. => Kızımız en çok neyi seviyor? => Küçük kızımızı hangi hediye mutlu eder?
    6 Ines on yıldır vejetaryen. => Ines ne zamandan beri vejetaryen? => Ines et yiyor mu?
    7 Kullanıcı uçuşlarda hep cam kenarı koltuk ayırtıyor. => Kullanıcı uçuşlarda hangi koltuğu ayırtıyor? => Kullanıcı uçakta nerede oturmayı seviyor?
    8 Annem sadece klasik müzik, en çok da Bach dinliyor. => Annem ne tür müzik dinliyor? => Anneciğim hangi konserin biletine sevinir?
    9 Tomas mart ayından beri ödeme ekibini yönetiyor. => Ödeme ekibini kim yönetiyor? => Faturalandırma üzerinde çalışanların başında kim var?
    10 Priya'nın doğum günü 14 Ekim. => Priya'nın doğum günü ne zaman? => Priya'yı hangi gün kutlamalıyız?
    11 Komşum Bay Keller emekli bir marangoz. => Komşum Bay Keller'in mesleği neydi? => Yan evdeki adam eskiden ne iş yapıyordu?
    12 Muhasebecimize yalnızca salı sabahları telefonla ulaşılabiliyor. => Muhasebecimize telefonla ne zaman ulaşılabiliyor? => Vergilerimizle ilgilenen kişiyi ne zaman arayabilirim?
    13 Sofia akıcı şekilde Portekizce ve Felemenkçe konuşuyor. => Sofia hangi dilleri konuşuyor? => Lizbon'dan gelen bir mektubu bize kim çevirebilir?
    14 Yeni stajyer 1 Eylül'de başlıyor. => Yeni stajyer ne zaman başlıyor? => Çırak aramıza ne zaman katılıyor?
    15 Ev sahibimiz yurt dışında yaşıyor ve yalnızca e-postayla cevap veriyor. => Ev sahibimiz nerede yaşıyor? => Dairenin malikiyle nasıl iletişime geçerim?
    16 Erkek kardeşim geçen yaz Oslo'ya taşındı. => Erkek kardeşim nereye taşındı? => Kardeşim şimdi hangi şehirde oturuyor?
    17 Mobil uygulama mayıstaki fuardan önce bitmiş olmalı. => Mobil uygulama ne zaman bitmiş olmalı? => Akıllı telefon yazılımını en geç ne zaman teslim etmemiz gerekiyor?
    18 Müşteri ilk tasarımımızı fazla renkli olduğu için reddetti. => Müşteri ilk tasarımımızı neden reddetti? => İşi veren taraf başlangıçtaki taslağı neden beğenmedi?
    19 Yeni deponun bütçesi 80.000 avro. => Yeni deponun bütçesi ne kadar? => Ambar binası için ne kadar para harcayabiliriz?
    20 Kılavuzun çevirisi programın iki hafta gerisinde. => Kılavuzun çevirisi programın ne kadar gerisinde? => Diğer dillerdeki kullanım talimatları ne kadar gecikti?
    21 Hastanedeki pilot uygulama, hemşireler yavaş ekranlardan şikâyet ettiği için erken bitti. => Hastanedeki pilot uygulama neden erken bitti? => Klinikteki deneme neden durduruldu?
    22 Yeniden yazılan aramanın kod adı Heron. => Yeniden yazılan aramanın kod adı ne? => Yeni arama motoruna kendi aramızda ne diyoruz?
    23 Her ayın ilk pazartesi günü yeni bir sürüm yayımlanıyor. => Yeni bir sürüm ne zaman yayımlanıyor? => Güncellemeler ne sıklıkla çıkıyor?
    24 Hava durumu bileşeni MIT lisansıyla açık kaynak olacak. => Hava durumu bileşeni hangi lisansla yayımlanacak? => Tahmin modülünün kodunu hangi hukuki koşullarla paylaşıyoruz?
    25 Hazırlık ortamında Postgres 5433 numaralı bağlantı noktasını dinliyor. => Hazırlık ortamında Postgres hangi bağlantı noktasını kullanıyor? => Test veritabanına nasıl bağlanırım?
    26 Yedekler her gece saat üçte alınıyor ve otuz gün saklanıyor. => Yedekler ne kadar saklanıyor? => Kaybolan veriler ne kadar süre geri getirilebilir?
    27 Alarmlar e-postayla değil, #on-call kanalına gidiyor. => Alarmlar nereye gidiyor? => Bir kesintiyle ilgili uyarılar nerede görünüyor?
    28 Her API anahtarı dakikada yüz istek yapabilir. => Bir API anahtarı dakikada kaç istek yapabilir? => Bir istemci kısıtlanmadan önce arayüzümüzü ne sıklıkta çağırabilir?
    29 Yüklenen resimler 10 megabayttan büyük olamaz. => Yüklenen resimler en fazla ne kadar büyük olabilir? => Bir fotoğraf dosyası en fazla ne kadar olabilir?
    30 Üretim sunucuları Frankfurt'ta. => Üretim sunucuları nerede? => Canlı sistemimiz nerede barındırılıyor?
    31 Parolalar kasada durur, asla ortam dosyalarında değil. => Parolalar nerede durur? => Gizli bilgiler nerede saklanmalı?
    32 Web sitesinin sertifikası 30 Kasım'da sona eriyor. => Web sitesinin sertifikası ne zaman sona eriyor? => TLS'yi en geç ne zaman yenilememiz gerekiyor?
    33 Oturum, on beş dakika hareketsizlikten sonra kapanıyor. => Oturum kaç dakika hareketsizlikten sonra kapanıyor? => Boşta duran bir kullanıcının çıkışı ne zaman otomatik yapılıyor?
    34 Mesajların yeniden oynatılabilmesi gerektiği için RabbitMQ yerine Kafka'yı seçtik. => Neden Kafka'yı seçtik? => Hangi mesaj aracısında karar kıldık ve sebebi neydi?
    35 Ekip, Internet Explorer desteğini bırakmaya karar verdi. => Ekip artık hangi tarayıcıyı desteklemiyor? => Artık hangi tarayıcıyı umursamıyoruz?
    36 Fiyatlar ocakta yüzde beş artıyor. => Fiyatlar ocakta ne kadar artıyor? => Müşteriler gelecek yıl ne kadar fazla ödeyecek?
    37 Yazdan önce kimseyi işe almıyoruz. => Yeniden ne zaman işe alım yapacağız? => Şu anda açık pozisyon var mı?
    38 Bütün tarihler UTC olarak saklanıyor. => Tarihler hangi saat diliminde saklanıyor? => Zaman damgalarını kaydederken hangi saat dilimini kullanıyoruz?
    39 Ofis, Noel ile yılbaşı arasında kapalı kalıyor. => Ofis ne zaman kapalı? => Aralığın son haftasında çalışan biri var mı?
    40 Her değişiklik iki gözden geçirenin onayını gerektirir. => Bir değişikliği kaç gözden geçirenin onaylaması gerekiyor? => Bir pull request birleştirilmeden önce kaç kişinin bakması gerekiyor?
    41 Haftalık planlama pazartesiden çarşamba saat ona alındı. => Haftalık planlama ne zaman yapılıyor? => Haftayı düzenlemek için ne zaman bir araya geliyoruz?
    42 Yönetim kurulu toplantısında satış rakamlarını Nadia sundu. => Yönetim kurulu toplantısında satış rakamlarını kim sundu? => Yöneticilerin önünde ciro hakkında kim konuştu?
    43 Tedarikçiyle görüşme grev yüzünden iptal edildi. => Tedarikçiyle görüşme neden iptal edildi? => Malları sağlayan firmayla neden konuşmadık?
    44 Retrospektifte testlerin çalışmasının çok uzun sürdüğü ortaya çıktı. => Retrospektifte ne ortaya çıktı? => Sprinti değerlendirirken geliştiricileri en çok ne rahatsız etti?
    45 İçe aktarma betiği, bir satırda noktalı virgül varsa çöküyor. => İçe aktarma betiği ne zaman çöküyor? => Verilerin yüklenmesi hangi karakter yüzünden başarısız oluyor?
    46 Viyana trenimiz saat 7.42'de 9. perondan kalkıyor. => Viyana trenimiz saat kaçta kalkıyor? => Avusturya'ya ne zaman yola çıkıyoruz?
    47 Kyoto'da nehir kıyısındaki küçük bir handa kaldık. => Kyoto'da nerede kaldık? => Japonya gezimizde nerede uyuduk?
    48 Pasaportum 2031'e kadar geçerli. => Pasaportum ne zamana kadar geçerli? => Yeni seyahat belgesi için en geç ne zaman başvurmam gerekiyor?
    49 İskoçya tatilimiz için bir karavan kiraladık. => İskoçya tatilimiz için ne kiraladık? => Highlands turumuzda hangi araçla gezdik?
    50 Tekerleği kırık bavul bodrumda. => Tekerleği kırık bavul nerede? => Hasarlı bagaj nerede?
    51 Büyükbabam her sabah tansiyonu için bir hap alıyor. => Büyükbabam her sabah ne alıyor? => Dedem hangi ilacı kullanıyor?
    52 Diş hekimi randevum perşembe günü saat dört buçukta. => Diş hekimi randevum ne zaman? => Dişlerime ne zaman bakılacak?
    53 Doktor, Karim'e sırtı için haftada iki kez yüzmesini önerdi. => Doktor Karim'e ne önerdi? => Karim ağrıya karşı hangi sporu yapmalı?
    54 Rosa teyze ameliyatından beri merdiven çıkamıyor. => Rosa teyze ne zamandan beri merdiven çıkamıyor? => Rosa'nın neden asansörlü bir daireye ihtiyacı var?
    55 Yedek anahtar mavi saksının altında. => Yedek anahtar nerede? => Kapıda kalırsam eve nasıl girerim?
    56 Çamaşır makinesi sıkma sırasında su kaçırıyor. => Çamaşır makinesi ne zaman su kaçırıyor? => Hangi ev aleti sızdırıyor?
    57 Kediye yalnızca akşamları mama veriliyor. => Kediye ne zaman mama veriliyor? => Evcil hayvanımız günün hangi saatinde besleniyor?
    58 Atık kâğıt iki haftada bir cuma günü toplanıyor. => Atık kâğıt ne sıklıkta toplanıyor? => Eski gazeteler sokağa ne zaman çıkarılmalı?
    59 Tarihleri ayrıştıran fonksiyon artık yıllarda hata veriyor. => Tarihleri ayrıştıran fonksiyon hangi yıllarda hata veriyor? => 29 Şubat'la ilgili hangi sorunumuz var?
    60 Testler paralel çalıştığı için geçici bir klasörü paylaşmamalı. => Testler neden geçici bir klasörü paylaşmamalı? => Her test durumunun neden kendi dizini olmalı?
  `,
};
